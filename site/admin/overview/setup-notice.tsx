/** Reminds administrators of what remains of setting up the site. */
import { Alert } from '#site/ui/alert.tsx';
import { lazyPart } from '#site/app/lazy-part.tsx';
import { useCall } from '#site/app/query.ts';

/** It names sections, which nothing else on this screen does. */
const SetupTasks = lazyPart(() => import('./setup-tasks.tsx'));

export function SetupNotice() {
  const { data: tasks = [] } = useCall('GET /setup-tasks');
  if (tasks.length === 0) return null;
  return (
    <Alert tone="warning" isStanding title="Finish setting up your site">
      <SetupTasks tasks={tasks} />
    </Alert>
  );
}
