import { useRouter } from '@tanstack/react-router';

/**
 * A function that leads from the page of a thing that is gone, `/devices/<id>`, to the list that it was in. Users who have gone on to
 * another page stay there.
 */
export function useWayOut(page: string): () => Promise<void> {
  const router = useRouter();
  return async () => {
    const { pathname } = router.state.location;
    if (pathname === page || pathname.startsWith(`${page}/`))
      await router.navigate({ href: page.slice(0, page.lastIndexOf('/')), replace: true });
  };
}
