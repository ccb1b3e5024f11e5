/** The staff member who is responsible for an order or a message. */
import type { AssignedKind } from '#contract/notes.ts';
import type { StaffMember } from '#contract/schemas.ts';
import { Badge } from '#site/ui/badge.tsx';
import { SelectField } from '#site/ui/select-field.tsx';
import { api } from '#site/app/call.ts';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { useCall } from '#site/app/query.ts';
import { useMutation } from '#site/app/use-mutation.ts';
import css from './notes.module.css';

export function Assignee({ kind, id }: { readonly kind: AssignedKind; readonly id: string }) {
  const query = useCall(`GET /${kind}/:id/assignee`, { id });
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (assigneeId: string) => api(`PUT /${kind}/:id/assignee`, { id, body: { assigneeId } }),
    done: (_, assigneeId) =>
      assigneeId === ''
        ? 'Unassigned'
        : `Assigned to ${query.data?.staff.find(({ _id }) => _id === assigneeId)?.name ?? 'someone else'}`,
    toastsError: true,
  });
  return (
    <QueryBoundary query={query} lines={1}>
      {({ assigneeId, staff }) => (
        <SelectField
          name="assigneeId"
          label="Assignee"
          className={css['assignee']}
          value={isPending ? variables : assigneeId}
          disabled={isPending}
          help={
            kind === 'order' && 'The customer sees this person’s name and phone if their profile has a name.'
          }
          options={[['', 'Nobody'], ...staff.map(({ _id, name }) => [_id, name] as const)]}
          onChange={({ target }) => mutate(target.value)}
        />
      )}
    </QueryBoundary>
  );
}

export const AssigneeBadge = ({ assignee: { name } }: { readonly assignee: StaffMember }) => (
  <Badge>
    <span className="visually-hidden">Assigned to </span>
    {name}
  </Badge>
);
