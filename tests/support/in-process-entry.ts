/** The entry that `worker-bundle.ts` bundles: the Worker as `npm start` runs it, and the local mailbox. */
export { default as worker, Media, Pages } from '#dev/worker.ts';
export { default as mailbox, Mailer } from '#dev/mailbox/worker.ts';
