/** The button that sends a form, below the error of the last attempt. */
import { Button, type ButtonProps } from '#site/ui/button.tsx';
import { Failure } from './failure.tsx';
import type { CallError } from './call.ts';

interface SendButtonProps extends Omit<ButtonProps, 'form' | 'type' | 'busy'> {
  /** A form (`useForm`), or a mutation with the same names. */
  readonly form: { readonly failure: CallError | null | undefined; readonly isBusy: boolean };
}

export const SendButton = ({ form: { failure, isBusy }, ...button }: SendButtonProps) => (
  <>
    <Failure error={failure} />
    <div>
      <Button {...button} type="submit" busy={isBusy} />
    </div>
  </>
);
