/**
 * The header of every public page. On small windows the links stand in a popover, which needs no script; the links at
 * the end depend on who looks (base.css, `data-for`).
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
  /** The page that says in full what the link leads to: there it is the current one. */
  readonly page?: string;
  /** Without its records there is nothing where the link leads. */
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

/** The links that lead somewhere. Where only the logo's records are at hand, as in its preview, all of them. */
const linksFor = (content: SectionProps['content']) =>
  links.filter(({ needs }) => needs === undefined || content[needs]?.length !== 0);

export interface NavbarProps extends SectionProps {
  /** Canonical path of the page that the header stands on, where it has one. */
  readonly current?: string | undefined;
}

export default function Navbar({ content, current }: NavbarProps) {
  return (
    <header className={css['header']}>
      <div className={`wrap ${css['bar'] ?? ''}`}>
        <Logo content={content} />
        <button type="button" className={css['toggle']} popoverTarget="menu">
          <Menu size="1.5rem" aria-hidden="true" />
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
