import { only } from '#contract/sections/index.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { Section } from '../section.tsx';
import { safeHref } from '#site/ui/safe-link.tsx';
import { SectionHeading } from '../section-heading.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import css from './call-to-action.module.css';

export const shows: Shows = ['callToAction'];

export default function CallToAction({ content }: SectionProps) {
  const action = only(content.callToAction ?? []);
  if (!action) return null;
  const href = safeHref(action.buttonLink);
  return (
    <Section tone="mint" room="slim">
      <div className={css['action']}>
        <SectionHeading title={action.heading} text={action.subHeading} />
        {href !== undefined && action.buttonText && (
          <LinkButton href={href} className={css['button']}>
            {action.buttonText}
          </LinkButton>
        )}
      </div>
    </Section>
  );
}
