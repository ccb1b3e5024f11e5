/** What the staff takes notes about. */
export const noteKinds = ['customer', 'order', 'message'] as const;
export type NoteKind = (typeof noteKinds)[number];
