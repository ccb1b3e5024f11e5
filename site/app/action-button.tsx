/** A button that makes one call. It is busy until the call ends, and a toast shows the result. */
import { Button, type ButtonProps } from '#site/ui/button.tsx';
import { confirm, type Question } from '#site/ui/confirm.tsx';
import { useMutation, type MutationOptions } from './use-mutation.ts';

interface ActionButtonProps<T>
  extends
    Omit<ButtonProps, 'onClick' | 'onError' | 'busy'>,
    Pick<MutationOptions<T, void>, 'done' | 'changesNothing' | 'onSuccess' | 'onError'> {
  readonly action: () => Promise<T>;
  readonly question?: Question;
}

export function ActionButton<T>({
  action,
  question,
  done,
  changesNothing,
  onSuccess,
  onError,
  ...button
}: ActionButtonProps<T>) {
  const { mutate, isPending } = useMutation({
    mutationFn: action,
    done,
    toastsError: true,
    changesNothing,
    onSuccess,
    onError,
  });
  const start = async () => {
    if (!question || (await confirm(question))) mutate();
  };
  return <Button {...button} busy={isPending} onClick={() => void start()} />;
}
