/** The three packages side by side, on the landing page and, with one more point each, on the pricing page. */
import { linkTo } from '#contract/screens.ts';
import { displayPriceText } from '#contract/money.ts';
import { Check } from 'lucide-react';
import { LinkButton } from '#components/button.tsx';
import { Band } from '../band.tsx';
import { cardPoints, inCardOrder, isChief, orderPath, type PackagePlace } from '../packages.ts';
import { SectionHeading } from '../section-heading.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import css from './pricing-plans.module.css';

export const shows: Shows = ['pricingPackage'];

export interface PricingPlansProps extends SectionProps {
  readonly place?: PackagePlace;
}

export default function PricingPlans({ content, place = 'landing' }: PricingPlansProps) {
  const Name = place === 'landing' ? 'h3' : 'h2';
  const packages = inCardOrder(content.pricingPackage ?? []);
  if (packages.length === 0) return null;
  const cards = (
    <ul className={css['plans']}>
      {packages.map((plan) => (
        <li key={plan._id} className={css['plan']} data-tone={isChief(plan) ? 'deep' : undefined}>
          <Name className={css['name']}>{plan.packageName}</Name>
          <p className={css['price']}>{displayPriceText(plan.packagePrice)}</p>
          <LinkButton
            href={orderPath(plan)}
            variant={isChief(plan) ? 'onDeep' : 'secondary'}
            aria-label={`${plan.packageButtonText}: ${plan.packageName}`}
          >
            {plan.packageButtonText}
          </LinkButton>
          <ul className={css['points']}>
            {cardPoints(plan, place).map((point, index) => (
              <li key={index}>
                <Check size={20} aria-hidden="true" />
                <span>{point}</span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
  if (place === 'pricing') return <Band label="Packages">{cards}</Band>;
  return (
    <Band id="pricing-sec">
      <div className={css['head']}>
        <SectionHeading title="Pricing Plan" />
        <a href={linkTo('pricing')}>Compare the packages in full</a>
      </div>
      {cards}
    </Band>
  );
}
