/** The footer of every public page: about the firm, address, social networks, newsletter, copyright. */
import { linkTo } from '#contract/screens.ts';
import { only } from '#contract/sections/index.ts';
import { SubscribeForm } from '#site/ui/subscribe-form.tsx';
import { classNames } from '#site/ui/class-names.ts';
import { ContactLine, SafeLink, safeHref } from '#site/ui/safe-link.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import { NetworkMark, type Network } from '../social-icons.tsx';
import css from './footer.module.css';

export const shows: Shows = ['footerAbout', 'footerAddress', 'footerSocial', 'copyright'];

function FooterAbout({ content }: SectionProps) {
  const about = only(content.footerAbout ?? []);
  if (!about) return null;
  return (
    <div className={css['part']}>
      <h2 className={css['title']}>{about.aboutFooterText}</h2>
      <p className={css['details']}>{about.aboutFooterDetails}</p>
    </div>
  );
}

function FooterAddress({ content }: SectionProps) {
  const address = only(content.footerAddress ?? []);
  if (!address) return null;
  const lines = [address.phoneNumber, address.emailAddress, address.location].filter(Boolean);
  if (lines.length === 0) return null;
  return (
    <address className={css['part']}>
      <h2 className={css['title']}>Where to find us</h2>
      {lines.map((line) => (
        <p key={line} className={css['details']}>
          <ContactLine text={line} />
        </p>
      ))}
    </address>
  );
}

function FooterSocial({ content }: SectionProps) {
  const social = only(content.footerSocial ?? []);
  if (!social) return null;
  const addresses: readonly { network: Network; href: string | undefined }[] = [
    { network: 'YouTube', href: safeHref(social.youlink) },
    { network: 'Facebook', href: safeHref(social.fblink) },
    { network: 'Instagram', href: safeHref(social.inslink) },
  ];
  const links = addresses.filter(({ href }) => href !== undefined);
  if (links.length === 0) return null;
  return (
    <div className={css['part']}>
      <p className={css['details']}>{social.aboutText}</p>
      <ul className={css['networks']}>
        {links.map(({ network, href }) => (
          <li key={network}>
            <a href={href} aria-label={network} rel="noopener">
              <NetworkMark network={network} />
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function Copyright({ content }: SectionProps) {
  const copyright = only(content.copyright ?? []);
  return copyright ? <p className={css['copyright']}>{copyright.copyrightText}</p> : null;
}

function LegalLinks({ content }: SectionProps) {
  return (content.legalPage ?? []).map(({ path, title }) => (
    <SafeLink key={path} href={path}>
      <bdi>{title}</bdi>
    </SafeLink>
  ));
}

export default function Footer({ content }: SectionProps) {
  return (
    <footer className={classNames('targets', css['footer'])} data-tone="deep">
      <div className="wrap">
        <div className={css['columns']}>
          <FooterAbout content={content} />
          <FooterAddress content={content} />
          <div className={css['column']}>
            <SubscribeForm />
            <FooterSocial content={content} />
          </div>
        </div>
        <div className={css['last']}>
          <Copyright content={content} />
          <nav aria-label="Pages" className={css['pages']}>
            {content.serviceItem?.length !== 0 && <a href={linkTo('service')}>Services</a>}
            <a href={linkTo('pricing')}>Pricing Plan</a>
            <a href={linkTo('contact')}>Contact</a>
            <LegalLinks content={content} />
          </nav>
        </div>
      </div>
    </footer>
  );
}
