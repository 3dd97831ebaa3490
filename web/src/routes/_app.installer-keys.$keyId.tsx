import { createFileRoute } from '@tanstack/react-router';

/** The list of keys opens this key in a drawer. */
export const Route = createFileRoute('/_app/installer-keys/$keyId')({});
