/** The records that can have notes and assignees. */
export const noteKinds = ['customer', 'order', 'message'] as const;
export type NoteKind = (typeof noteKinds)[number];

export const assignedKinds = ['order', 'message'] as const;
export type AssignedKind = (typeof assignedKinds)[number];
