/** A button that makes one call. It is busy until the call ends, and shows the result. */
import { Button, type ButtonProps } from '#site/ui/button.tsx';
import { confirm, type Question } from '#site/ui/confirm.tsx';
import { Failure } from './failure.tsx';
import { useMutation, type MutationOptions } from './use-mutation.ts';

interface ActionButtonProps<T>
  extends
    Omit<ButtonProps, 'onClick' | 'onError' | 'busy'>,
    Pick<MutationOptions<T, void>, 'done' | 'changesNothing' | 'onSuccess' | 'onError'> {
  readonly action: () => Promise<T>;
  readonly question?: Question;
  /** Whether an error appears above the button instead of as a toast. */
  readonly showsError?: true;
}

export function ActionButton<T>({
  action,
  question,
  showsError,
  done,
  changesNothing,
  onSuccess,
  onError,
  ...button
}: ActionButtonProps<T>) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: action,
    done,
    toastsError: !showsError,
    changesNothing,
    onSuccess,
    onError,
  });
  const start = async () => {
    if (!question || (await confirm(question))) mutate();
  };
  return (
    <>
      {showsError && <Failure error={error} />}
      <Button {...button} busy={isPending} onClick={() => void start()} />
    </>
  );
}
