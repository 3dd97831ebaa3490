import { createFileRoute } from '@tanstack/react-router';

/** The list of keys shows this one over itself. */
export const Route = createFileRoute('/_app/installer-keys/$keyId')({});
