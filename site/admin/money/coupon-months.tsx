/**
 * How long a coupon applies to a monthly package. The form asks only if the coupon is valid for a monthly package.
 */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { maxCouponMonths } from '#contract/coupons.ts';
import { isMonthly } from '#contract/packages.ts';
import { Field, SelectField } from '#site/ui/field.tsx';
import { callQuery } from '#site/app/query.ts';
import { textsIn } from '#site/app/use-form.ts';

/**
 * The number of months in the format of the API call. If the form does not ask, the coupon applies to one
 * month.
 */
export function readCouponMonths(form: HTMLFormElement): number | null {
  const { duration, months } = textsIn(form, ['duration', 'months']);
  if (duration === 'forever') return null;
  return duration === 'months' ? Number(months) : 1;
}

/**
 * Whether a coupon for the selected packages, or for all if none is selected, is valid for a monthly package.
 */
export function useIsForMonthly(chosen: readonly string[]): boolean {
  const { data: packages = [] } = useQuery(callQuery('GET /pricings'));
  return packages.some((one) => isMonthly(one) && (chosen.length === 0 || chosen.includes(one.packageName)));
}

export function CouponMonths() {
  const [duration, setDuration] = useState('once');
  return (
    <>
      <SelectField
        label="On a monthly package"
        name="duration"
        value={duration}
        onChange={({ target }) => setDuration(target.value)}
      >
        <option value="once">For the first payment</option>
        <option value="months">For a number of payments</option>
        <option value="forever">For every payment</option>
      </SelectField>
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
