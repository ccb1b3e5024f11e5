/** Compares the packages row by row on the pricing page. */
import { Check, Minus } from 'lucide-react';
import { displayNameOf, displayPackagePrice, isHidden } from '#contract/packages.ts';
import { only, type RecordOf } from '#contract/sections/index.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { Section } from '../section.tsx';
import { inCardOrder, isRecommended, orderPath } from '../packages.ts';
import { SectionHeading } from '../section-heading.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import css from './comparison.module.css';

export const shows: Shows = ['comparisonRow'];

const valueFields = [
  ['Basic', 'basicValue'],
  ['Standard', 'standardValue'],
  ['Premium', 'premiumValue'],
] as const;

/** A column for each package, in the order of the cards. In the preview, it works without the packages' records. */
function columnsFor(packages: readonly RecordOf<'pricingPackage'>[]) {
  const ordered = inCardOrder(packages);
  const hidden = packages.filter(isHidden).map(({ packageName }) => packageName);
  const columns = valueFields
    .filter(([name]) => !hidden.includes(name))
    .map(([name, field]) => {
      const plan = ordered.find(({ packageName }) => packageName === name);
      return { name, field, plan, isPick: plan !== undefined && isRecommended(plan) };
    });
  const placeOf = ({ plan }: (typeof columns)[number]) => (plan ? ordered.indexOf(plan) : ordered.length);
  return [...columns].sort((a, b) => placeOf(a) - placeOf(b));
}

/** Yes and No as icons with text for screen readers. */
function Value({ text }: { readonly text: string }) {
  const word = text.trim().toLowerCase();
  if (word === 'yes') return <Check size="1.25rem" role="img" aria-label="Yes" />;
  return word === 'no' ? <Minus size="1.25rem" role="img" aria-label="No" /> : text;
}

export default function Comparison({ content }: SectionProps) {
  const rows = content.comparisonRow ?? [];
  if (rows.length === 0) return null;
  const columns = columnsFor(content.pricingPackage ?? []);
  return (
    <Section id="comparison" label="Comparison of the packages">
      <SectionHeading title={only(content.pricingText ?? [])?.comparisonHeading} />
      <table className={css['table']}>
        <thead>
          <tr>
            <td />
            {columns.map(({ name, plan, isPick }) => (
              <th key={name} scope="col" data-pick={isPick || undefined}>
                {plan ? displayNameOf(plan) : name}
                {plan && <span className={css['price']}> {displayPackagePrice(plan)}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row._id}>
              <th scope="row">{row.comparisonTitle}</th>
              {columns.map(({ name, field, isPick }) => (
                <td key={name} data-pick={isPick || undefined}>
                  <Value text={row[field]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td />
            {columns.map(({ name, plan, isPick }) => (
              <td key={name} data-pick={isPick || undefined}>
                {plan && (
                  <LinkButton href={orderPath(plan)} variant={isPick ? 'primary' : 'secondary'} size="small">
                    {plan.packageButtonText}
                  </LinkButton>
                )}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </Section>
  );
}
