import { useState } from 'react';
import { packageNames, type PackageName } from '#contract/orders.ts';
import { maxCouponMonths } from '#contract/coupons.ts';
import { displayNameOf, isMonthly } from '#contract/packages.ts';
import { Field } from '#site/ui/field.tsx';
import { SelectField } from '#site/ui/select-field.tsx';
import { Form } from '#site/ui/form.tsx';
import { showToast } from '#site/app/toasts.tsx';
import { api, type CallBody } from '#site/app/call.ts';
import { SendButton } from '#site/app/send-button.tsx';
import { refetchScreen, useCall } from '#site/app/query.ts';
import { textsIn, useForm } from '#site/app/use-form.ts';
import { useSessionFields } from '#site/app/use-session-fields.ts';
import { cluster, columns, target } from '#site/ui/layout.ts';
import css from './new-coupon.module.css';

const names = ['code', 'kind', 'percentOff', 'amountOff', 'lastDay', 'mostUses'] as const;

function couponIn(form: HTMLFormElement): CallBody<'POST /add-coupon'> {
  const { code, kind, percentOff, amountOff, lastDay, mostUses } = textsIn(form, names);
  const data = new FormData(form);
  return {
    code,
    ...(kind === 'percent' ? { percentOff: Number(percentOff) } : { amountOff }),
    packages: data.getAll('packages') as PackageName[],
    ...(lastDay !== '' && { lastDay }),
    ...(mostUses.trim() !== '' && { mostUses: Number(mostUses) }),
    oncePerCustomer: data.has('oncePerCustomer'),
    months: readCouponMonths(form),
  };
}

export function NewCoupon() {
  const { ref, ...form } = useForm();
  const forget = useSessionFields(ref);
  const [kind, setKind] = useState('percent');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const titleOf = usePackageTitle();
  const isForMonthly = useIsForMonthly(chosen);

  const send = (element: HTMLFormElement) => {
    const body = couponIn(element);
    return form.submit({
      send: async () => {
        await api('POST /add-coupon', { body });
        forget();
        element.reset();
        setKind('percent');
        setChosen([]);
        showToast('Coupon added');
        void refetchScreen();
      },
    });
  };

  return (
    <Form ref={ref} errors={form.errors} className={columns(4, css['form'])} onSend={send}>
      <Field label="Code" name="code" required maxLength={30} autoComplete="off" />
      <SelectField
        label="Discount"
        name="kind"
        options={[
          ['percent', 'A percentage'],
          ['amount', 'An amount'],
        ]}
        value={kind}
        onChange={({ target }) => setKind(target.value)}
      />
      {kind === 'percent' ? (
        <Field label="Percent" name="percentOff" inputMode="numeric" required />
      ) : (
        <Field label="Amount in dollars" name="amountOff" inputMode="decimal" required />
      )}
      <div className={css['packages']}>
        <fieldset
          className={cluster([2, 4])}
          onChange={({ currentTarget: { form } }) =>
            setChosen(form ? new FormData(form).getAll('packages').map(String) : [])
          }
        >
          <legend className="strong">Packages</legend>
          {packageNames.map((name) => (
            <label key={name} className={target()}>
              <input type="checkbox" name="packages" value={name} /> {titleOf(name)}
            </label>
          ))}
        </fieldset>
        <p className="note">Leave all of them unchecked to include every package.</p>
      </div>
      {isForMonthly && <CouponMonths />}
      <Field label="Last day" name="lastDay" type="date" required={false} />
      <Field label="Maximum number of orders" name="mostUses" inputMode="numeric" required={false} />
      <label className={target()}>
        <input type="checkbox" name="oncePerCustomer" /> Once per customer
      </label>
      <SendButton form={form}>Add coupon</SendButton>
    </Form>
  );
}

/** The number of months; null for all. If the question was not asked, the coupon applies to one month. */
function readCouponMonths(form: HTMLFormElement): number | null {
  const { duration, months } = textsIn(form, ['duration', 'months']);
  if (duration === 'forever') return null;
  return duration === 'months' ? Number(months) : 1;
}

/** Whether a coupon for the selected packages, or for all if none is selected, is valid for a monthly package. */
function useIsForMonthly(chosen: readonly string[]): boolean {
  const { data: packages = [] } = useCall('GET /pricings');
  return packages.some((one) => isMonthly(one) && (chosen.length === 0 || chosen.includes(one.packageName)));
}

/** How long a coupon applies to a monthly package. Asked only if the coupon is valid for one. */
function CouponMonths() {
  const [duration, setDuration] = useState('once');
  return (
    <>
      <SelectField
        label="On a monthly package"
        name="duration"
        options={[
          ['once', 'For the first payment'],
          ['months', 'For a number of payments'],
          ['forever', 'For every payment'],
        ]}
        value={duration}
        onChange={({ target }) => setDuration(target.value)}
      />
      {duration === 'months' && (
        <Field
          label="How many payments"
          name="months"
          inputMode="numeric"
          required
          help={`At most ${maxCouponMonths}, including the first. Paused months count too.`}
        />
      )}
    </>
  );
}

/** Returns a function from a package's name to its display name. Until loaded, it returns the name itself. */
export function usePackageTitle(): (name: string) => string {
  const { data: packages = [] } = useCall('GET /pricings');
  return (name) => {
    const found = packages.find(({ packageName }) => packageName === name);
    return found ? displayNameOf(found) : name;
  };
}
