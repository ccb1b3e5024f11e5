/** The passkeys of the account, with buttons to add, name and remove them. */
import { useState } from 'react';
import type { Passkey } from '#contract/passkeys.calls.ts';
import type { SignedIn } from '#contract/account-schemas.ts';
import { Button } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { confirm } from '#site/ui/confirm.tsx';
import { Table, type Column } from '#site/ui/table.tsx';
import { showToast } from '../app/toasts.tsx';
import { api } from '../app/call.ts';
import { Failure } from '../app/failure.tsx';
import { QueryBoundary } from '../app/query-boundary.tsx';
import { DateTime } from '../ui/date-time.tsx';
import { useMutation } from '../app/use-mutation.ts';
import { useCall, refetchScreen } from '../app/query.ts';
import { CodesDialog, RecoveryCodes } from './recovery-codes.tsx';
import { cluster, stack } from '#site/ui/layout.ts';
import { Dialog, DialogActions } from '#site/ui/dialog.tsx';
import { Field } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { textsIn, useForm } from '../app/use-form.ts';

type Choice = (passkey: Passkey) => void;

const columns = (onName: Choice, onRemove: Choice): readonly Column<Passkey>[] => [
  { header: 'Name', cell: ({ name }) => name },
  { header: 'Added', cell: ({ addedAt }) => <DateTime at={addedAt} /> },
  {
    header: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Not yet' : <DateTime at={lastUsedAt} />),
  },
  {
    header: 'Action',
    cell: (passkey) => (
      <div className={cluster(3, 'flush')}>
        <Button
          variant="quiet"
          size="small"
          aria-label={`Rename ${passkey.name}`}
          onClick={() => onName(passkey)}
        >
          Rename
        </Button>
        <Button
          variant="quiet"
          size="small"
          aria-label={`Remove ${passkey.name}`}
          onClick={() => onRemove(passkey)}
        >
          Remove
        </Button>
      </div>
    ),
  },
];

/** Creates a passkey on this device. @returns the recovery codes that come with the first one */
async function addPasskey(): Promise<readonly string[]> {
  const { data: options } = await api('POST /auth/passkeys/options');
  const { makePasskey } = await import('../app/passkey.ts');
  const credential = await makePasskey(options);
  return (await api('POST /auth/passkeys', { body: { credential } })).data.recoveryCodes;
}

/** Removes a passkey from the account, and from the device if the browser supports that. */
async function removePasskey({ _id, credentialId }: Passkey): Promise<void> {
  await api('DELETE /auth/passkeys/:id', { id: _id });
  const { forgetPasskey } = await import('../app/passkey.ts');
  await forgetPasskey(credentialId);
}

/** Why no passkey can be added right now; undefined if one can. */
const hindrance = ({ emailVerified, lacks }: SignedIn): string | undefined => {
  if (!emailVerified) return 'Verify your email first: open the link that we emailed you.';
  if (!('PublicKeyCredential' in window))
    return 'This browser does not support passkeys. Open your account in another browser or on your phone.';
  return lacks === 'passkeySignIn' ? 'Use one of your passkeys first, as the note above says.' : undefined;
};

/** What to do about codes that may have been created but were never shown. */
const unseenCodes =
  ' If this device is listed here after you reload the page, create new recovery codes, because you have not seen the first ones.';

const addedText = 'From now on you can log in with this device.';

export function PasskeysCard({ account }: { readonly account: SignedIn }) {
  const query = useCall('GET /auth/passkeys');
  const [codes, setCodes] = useState<readonly string[]>([]);
  const [isAdded, setIsAdded] = useState(false);
  const [named, setNamed] = useState<Passkey>();
  const hindered = hindrance(account);
  const add = useMutation({
    mutationFn: addPasskey,
    onSuccess(made) {
      setCodes(made);
      // A dialog would hide the toast, so the toast appears after the user has saved the codes.
      if (made.length === 0) showToast(addedText);
      setIsAdded(made.length > 0);
    },
  });
  const remove = useMutation({
    mutationFn: removePasskey,
    done: (_, { name }) => `You can no longer log in with ${name}.`,
    // An error about adding a device may have been about this one.
    onSuccess: () => add.reset(),
  });
  const removeIfSure = async (passkey: Passkey) => {
    const isSure = await confirm({
      title: `Remove ${passkey.name}?`,
      text: 'You will no longer be able to log in with it. Your device may still offer it; you can delete it there too, in the password settings.',
      confirm: 'Remove',
      variant: 'danger',
    });
    if (isSure) remove.mutate(passkey);
  };
  const isBusy = add.isPending || remove.isPending;
  return (
    <Card title="Fingerprint, face or screen lock">
      <p className="muted">
        Log in with what unlocks your device instead of a password. Nobody can guess it, and no fake site can
        ask for it. Browsers call this a passkey. Your fingerprint and face stay on your device.
      </p>
      <QueryBoundary query={query}>
        {({ passkeys, recoveryCodesLeft }) => (
          <>
            {passkeys.length > 0 && (
              <Table
                caption="Devices that you can log in with"
                columns={columns(setNamed, (passkey) => void removeIfSure(passkey))}
                rows={passkeys}
              />
            )}
            {hindered !== undefined && <p className="muted">{hindered}</p>}
            {hindered === undefined && (
              <Button variant="secondary" busy={isBusy} onClick={() => add.mutate()}>
                {passkeys.length > 0 ? 'Add another device' : 'Set up this device'}
              </Button>
            )}
            <Failure error={add.error}>
              {passkeys.length === 0 && add.error?.isUnanswered && unseenCodes}
            </Failure>
            <Failure error={remove.error} />
            {passkeys.length > 0 && <RecoveryCodes left={recoveryCodesLeft} onMade={setCodes} />}
          </>
        )}
      </QueryBoundary>
      <CodesDialog
        codes={codes}
        onClose={() => {
          setCodes([]);
          if (isAdded) showToast(addedText);
          setIsAdded(false);
        }}
      />
      {named && <NamePasskey passkey={named} onEnd={() => setNamed(undefined)} />}
    </Card>
  );
}

interface NamePasskeyProps {
  readonly passkey: Passkey;
  readonly onEnd: () => void;
}

function NamePasskey({ passkey: { _id, name: former }, onEnd }: NamePasskeyProps) {
  const { ref, errors, failure, isBusy, submit } = useForm();
  const send = async (form: HTMLFormElement) => {
    await api('PUT /auth/passkeys/:id', { id: _id, body: textsIn(form, ['name']) });
    void refetchScreen();
    onEnd();
  };
  return (
    <Dialog open onClose={onEnd} title={`Rename ${former}`}>
      <Form
        ref={ref}
        errors={errors}
        className={stack(4)}
        onSend={(form) => submit({ send: () => send(form) })}
      >
        <Field
          id="passkey-name"
          name="name"
          label="Name"
          help="For example, “My phone” or “Office laptop”."
          autoComplete="off"
          maxLength={60}
          defaultValue={former}
        />
        <Failure error={failure} />
        <DialogActions>
          <Button variant="secondary" onClick={onEnd}>
            Cancel
          </Button>
          <Button type="submit" busy={isBusy}>
            Save
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
