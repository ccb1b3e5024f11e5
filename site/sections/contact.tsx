/** The contact section: an introduction, other ways to contact the firm, and the form, which the page passes in. */
import type { ReactNode } from 'react';
import { only } from '#contract/sections/index.ts';
import { linkTo } from '#contract/screens.ts';
import { Section } from './section.tsx';
import { ArrowLink } from './arrow-link.tsx';
import { classNames } from '../ui/class-names.ts';
import { ContactLine } from '../ui/safe-link.tsx';
import { SectionHeading } from './section-heading.tsx';
import type { SectionProps } from './section-props.ts';
import css from './contact.module.css';

interface ContactProps extends SectionProps {
  /** Whether the page shows the contact details elsewhere. */
  readonly hasWays?: boolean;
  /** The contact form. */
  readonly children: ReactNode;
}

export function Contact({ content, hasWays = false, children }: ContactProps) {
  const address = only(content.footerAddress ?? []);
  const has = (name: 'testimonial' | 'faqItem') => (content[name] ?? []).length > 0;
  return (
    <Section id="contact-sec" tone="sunken" layout="split">
      <div className={css['words']}>
        <SectionHeading
          title="Send us a message"
          text="Tell us where you lend and what you would like to be found for. A person reads every message."
        />
        <div className={css['first']}>
          {has('faqItem') && (
            <ArrowLink href={`${linkTo('pricing')}#faq`} text={only(content.faqText ?? [])?.faqText} />
          )}
          {has('testimonial') && (
            <ArrowLink
              href={`${linkTo('pricing')}#testimonials`}
              text={only(content.testimonialText ?? [])?.testimonialText}
            />
          )}
        </div>
        {address && !hasWays && (
          <ul className={classNames('targets', css['ways'])}>
            {[address.phoneNumber, address.emailAddress].filter(Boolean).map((way) => (
              <li key={way}>
                <ContactLine text={way} />
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className={css['form']}>{children}</div>
    </Section>
  );
}
