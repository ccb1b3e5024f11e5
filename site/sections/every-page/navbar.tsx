/**
 * The header of every public page. On small windows, the links are in a popover, which needs no script. The
 * links at the end depend on who is signed in (base.css, `data-for`).
 */
import { linkTo } from '#contract/screens.ts';
import type { PublicSectionName } from '#contract/sections/index.ts';
import { Menu } from 'lucide-react';
import { LinkButton } from '#site/ui/button.tsx';
import { Logo } from './logo.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import css from './navbar.module.css';

export const shows: Shows = ['logo', 'brand'];

interface NavbarLink {
  readonly href: string;
  readonly text: string;
  /** The page with the link's section. On that page, the link is marked as current. */
  readonly page?: string;
  /** The section that the link points to. Without records for it, the link is left out. */
  readonly needs?: PublicSectionName;
}

const links: readonly NavbarLink[] = [
  { href: linkTo('home'), text: 'Home', page: linkTo('home') },
  { href: `${linkTo('home')}#about-sec`, text: 'About', needs: 'about' },
  { href: `${linkTo('home')}#services-sec`, text: 'Services', page: linkTo('service'), needs: 'serviceItem' },
  { href: `${linkTo('home')}#pricing-sec`, text: 'Pricing Plan', page: linkTo('pricing') },
  { href: linkTo('articles'), text: 'Articles', page: linkTo('articles'), needs: 'articlesText' },
  { href: `${linkTo('home')}#contact-sec`, text: 'Contact', page: linkTo('contact') },
];

/** The links that have a target. In the logo's preview, which has no other records, all of them. */
const linksFor = (content: SectionProps['content']) =>
  links.filter(({ needs }) => needs === undefined || content[needs]?.length !== 0);

interface NavbarProps extends SectionProps {
  /** The canonical path of the page, if it has one. */
  readonly current?: string | undefined;
}

export default function Navbar({ content, current }: NavbarProps) {
  return (
    <header className={css['header']}>
      <div className={`wrap ${css['bar'] ?? ''}`}>
        <Logo content={content} />
        <button type="button" className={css['toggle']} popoverTarget="menu">
          <Menu size="1.5rem" />
          Menu
        </button>
        <nav id="menu" popover="auto" aria-label="Main" className={css['menu']}>
          <ul className={css['links']}>
            {linksFor(content).map(({ href, text, page }) => (
              <li key={href}>
                <a href={href} aria-current={current !== undefined && page === current ? 'true' : undefined}>
                  {text}
                </a>
              </li>
            ))}
          </ul>
          <div className={css['account']}>
            <a href={linkTo('admin')} data-for="admin">
              Admin
            </a>
            <LinkButton href={linkTo('login')} variant="secondary" data-for="visitor">
              Log in
            </LinkButton>
            <LinkButton href={linkTo('dashboard')} variant="secondary" data-for="account">
              Dashboard
            </LinkButton>
          </div>
        </nav>
      </div>
    </header>
  );
}
