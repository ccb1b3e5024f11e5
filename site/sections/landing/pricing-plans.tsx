/** The three packages side by side, on the landing page and, with one more point each, on the pricing page. */
import { linkTo } from '#contract/screens.ts';
import { displayNameOf, isMonthly, type PackagePlace } from '#contract/packages.ts';
import { displayPriceText } from '#contract/money.ts';
import { Check } from 'lucide-react';
import { only, type RecordOf } from '#contract/sections/index.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { Section } from '../section.tsx';
import { ArrowLink } from '../arrow-link.tsx';
import { cardPoints, inCardOrder, isRecommended, orderPath } from '../packages.ts';
import { SectionHeading } from '../section-heading.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import css from './pricing-plans.module.css';

export const shows: Shows = ['pricingPackage', 'pricingText'];

interface PricingPlansProps extends SectionProps {
  readonly place?: PackagePlace;
}

export function PricingPlans({ content, place = 'landing' }: PricingPlansProps) {
  const packages = inCardOrder(content.pricingPackage ?? []);
  if (packages.length === 0) return null;
  const text = only(content.pricingText ?? []);
  const cards = (
    <ul className={css['plans']}>
      {packages.map((plan) => (
        <PlanCard key={plan._id} plan={plan} place={place} isLast={plan === packages.at(-1)} />
      ))}
    </ul>
  );
  if (place === 'pricing') return <Section label="Packages">{cards}</Section>;
  return (
    <Section id="pricing-sec">
      <div className={css['head']}>
        <SectionHeading title={text?.pricingHeading ?? 'Pricing Plan'} text={text?.pricingDetails} />
        <ArrowLink
          href={`${linkTo('pricing')}#comparison`}
          text={text?.pricingLinkText ?? 'Compare the packages'}
        />
      </div>
      {cards}
    </Section>
  );
}

interface PlanCardProps {
  readonly plan: RecordOf<'pricingPackage'>;
  readonly place: PackagePlace;
  readonly isLast: boolean;
}

function PlanCard({ plan, place, isLast }: PlanCardProps) {
  const Name = place === 'landing' ? 'h3' : 'h2';
  const isPick = isRecommended(plan);
  const { packageButtonText: text } = plan;
  const name = displayNameOf(plan);
  return (
    <li className={css['plan']} data-tone={isPick ? 'deep' : undefined} data-last={isLast ? '' : undefined}>
      {isPick && (
        <p className={css['pick']}>
          <strong>Recommended.</strong> {plan.packageReason}
        </p>
      )}
      <Name className={css['name']}>{name}</Name>
      <p className={css['soft']}>{plan.packageFor}</p>
      <p>
        <span className={css['price']}>
          {displayPriceText(plan.packagePrice)}
          {isMonthly(plan) && (
            <>
              {' '}
              <span className={css['period']}>per month</span>
            </>
          )}
        </span>
        <span className={css['soft']}>{plan.packageTerms}</span>
      </p>
      <LinkButton
        href={orderPath(plan)}
        variant={isPick ? 'onDeep' : 'secondary'}
        aria-label={text.includes(name) ? undefined : `${text}: ${name}`}
      >
        {text}
      </LinkButton>
      <ul className={css['points']}>
        {cardPoints(plan, place).map((point, index) => (
          <li key={index}>
            <Check size="1.25rem" />
            <span>{point}</span>
          </li>
        ))}
      </ul>
    </li>
  );
}
