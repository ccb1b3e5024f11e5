/** The frame around every admin screen: the navigation, and the header with the site's status. */
import { linkTo } from '#contract/screens.ts';
import { useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { ExternalLink, LogOut, Menu, X, type LucideIcon } from 'lucide-react';
import { Alert } from '#site/ui/alert.tsx';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { currentAt, offered, siteEntries, workEntries, type Entry } from './entries.ts';
import { Palette } from './palette/palette.tsx';
import { PublishingStatus } from './publishing.tsx';
import { offers } from './role.ts';
import { homes } from '../content/section-homes.ts';
import { useInboxCounts, useInboxPolling } from './inbox-counts.ts';
import { ActionButton } from '#site/app/action-button.tsx';
import { SignedOut } from '#site/app/failure.tsx';
import { signOut } from '#site/app/session.ts';
import { useCall } from '#site/app/query.ts';
import { useKeptFocus } from '#site/ui/use-kept-focus.ts';
import { useEscape } from '#site/ui/use-escape.ts';
import { classNames } from '#site/ui/class-names.ts';
import css from './admin-frame.module.css';

function subscribeToPath(listener: () => void) {
  if (!('navigation' in window)) return () => undefined;
  const { navigation } = window;
  navigation.addEventListener('currententrychange', listener);
  return () => navigation.removeEventListener('currententrychange', listener);
}

/** The current path. The editor changes it without loading another document. */
const usePath = (): string => useSyncExternalStore(subscribeToPath, () => location.pathname);

function NavLink({
  href,
  label,
  icon: NavIcon,
  leadsTo,
  counts,
}: Pick<Entry, 'href' | 'label' | 'leadsTo' | 'counts'> & { readonly icon?: LucideIcon }) {
  const waiting = useInboxCounts();
  const path = usePath();
  const count = waiting && counts ? waiting[counts.what] : 0;
  const badge = `waiting-${counts?.what ?? ''}`;
  return (
    <li className={css['entry']}>
      <a
        className={css['link']}
        href={href}
        title={label}
        aria-current={currentAt(path, { href, leadsTo })}
        aria-describedby={count > 0 ? badge : undefined}
      >
        {NavIcon && <NavIcon size="1.25rem" />}
        <span>{label}</span>
      </a>
      {counts && count > 0 && (
        <span id={badge} className={css['count']}>
          {count > 99 ? '99+' : count}
          <span className="visually-hidden"> {counts.spoken}</span>
        </span>
      )}
    </li>
  );
}

/** Copies the firm's logo from the page's HTML. */
function putLogo(place: HTMLDivElement | null): void {
  const logo = document.querySelector<HTMLTemplateElement>('template#firm-logo')?.content.querySelector('a');
  if (logo) place?.replaceChildren(logo.cloneNode(true));
}

function Navigation() {
  return (
    <nav aria-label="Admin" id="admin-navigation" className={css['navigation']}>
      <Palette />
      <ul className={css['links']}>
        {offered(workEntries).map((entry) => (
          <NavLink key={entry.href} {...entry} />
        ))}
      </ul>
      {offers('content') && (
        <>
          <ul className={css['links']}>
            {offered(siteEntries).map((entry) => (
              <NavLink key={entry.href} {...entry} />
            ))}
          </ul>
          <details className={css['sections']}>
            <summary className={css['link']}>All sections</summary>
            <ul className={css['links']}>
              {offered(homes).map(({ path, title }) => (
                <NavLink key={path} href={path} label={title} />
              ))}
            </ul>
          </details>
        </>
      )}
    </nav>
  );
}

interface AdminFrameProps {
  readonly isEditor?: boolean;
  readonly children: ReactNode;
}

/** @param isEditor the screen fills the window, and the navigation is a row of icons until opened */
export function AdminFrame({ isEditor = false, children }: AdminFrameProps) {
  useKeptFocus();
  const path = usePath();
  /** The path at which the navigation was opened. It closes when the path changes. */
  const [openedAt, setOpenedAt] = useState<string>();
  const isOpen = openedAt === path;
  const menuButton = useRef<HTMLButtonElement>(null);
  useEscape(() => {
    if (!isOpen) return;
    menuButton.current?.focus();
    setOpenedAt(undefined);
  });
  const error = useInboxPolling();
  const session = useCall('GET /auth/session');

  return (
    <div className={css['frame']} data-editor={isEditor || undefined} data-open={isOpen || undefined}>
      <header className={css['header']}>
        <div ref={putLogo} className={css['logo']} />
        <div className={classNames(css['menu'], 'screen-only')}>
          <Button
            ref={menuButton}
            variant="quiet"
            size="small"
            aria-expanded={isOpen}
            aria-controls="admin-navigation"
            icon={isOpen ? <X size="1.25rem" /> : <Menu size="1.25rem" />}
            onClick={() => setOpenedAt(isOpen ? undefined : path)}
          >
            <span className={css['text']}>Menu</span>
          </Button>
        </div>
        <a className={css['home']} href={linkTo('admin')}>
          Admin
        </a>
        <PublishingStatus />
        <div className={classNames(css['account'], 'screen-only')}>
          <span className={classNames('note', css['email'])}>{session.data?.account?.email}</span>
          <LinkButton
            variant="quiet"
            size="small"
            icon={<ExternalLink size="1.125rem" />}
            href={linkTo('home')}
          >
            <span className={css['text']}>View site</span>
          </LinkButton>
          <ActionButton
            variant="quiet"
            size="small"
            icon={<LogOut size="1.125rem" />}
            action={signOut}
            changesNothing
          >
            <span className={css['text']}>Sign out</span>
          </ActionButton>
        </div>
      </header>
      <Navigation />
      <main id="main" tabIndex={-1} className={css['main']}>
        {error?.status === 401 && !isEditor && <SignedOut />}
        {error?.status === 403 && (
          <Alert title={error.message}>
            Nothing that you send or save here is accepted anymore. What you typed stays here, so you can copy
            it.
          </Alert>
        )}
        {children}
      </main>
    </div>
  );
}
