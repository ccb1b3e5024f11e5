/**
 * The header of every public page. On small windows the links stand in a popover, which needs no script; the links at
 * the end depend on who looks (base.css, `data-for`).
 */
import { linkTo } from '#contract/screens.ts';
import { Menu } from 'lucide-react';
import { LinkButton } from '#components/button.tsx';
import { Logo } from './logo.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import css from './navbar.module.css';

export const shows: Shows = ['logo'];

const links = [
  { href: linkTo('home'), text: 'Home' },
  { href: `${linkTo('home')}#about-sec`, text: 'About' },
  { href: `${linkTo('home')}#services-sec`, text: 'Services' },
  { href: `${linkTo('home')}#pricing-sec`, text: 'Pricing Plan' },
  { href: `${linkTo('home')}#contact-sec`, text: 'Contact' },
] as const;

export default function Navbar({ content }: SectionProps) {
  return (
    <header className={css['header']}>
      <div className={`wrap ${css['bar'] ?? ''}`}>
        <Logo content={content} />
        <button type="button" className={css['toggle']} popoverTarget="menu">
          <Menu size={24} aria-hidden="true" />
          Menu
        </button>
        <nav id="menu" popover="auto" aria-label="Main" className={css['menu']}>
          <ul className={css['links']}>
            {links.map(({ href, text }) => (
              <li key={href}>
                <a href={href}>{text}</a>
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
