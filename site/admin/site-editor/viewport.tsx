/**
 * The previewed page at the width of a phone, tablet or desktop, in light or dark, scaled to fit or at actual size.
 */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Monitor, Moon, Smartphone, Sun, Tablet, ZoomIn } from 'lucide-react';
import { linkTo } from '#contract/screens.ts';
import { Alert } from '#site/ui/alert.tsx';
import { darkScheme, useMediaQuery } from '#site/app/use-media-query.ts';
import { useRemembered } from '#site/app/use-remembered.ts';
import { showScheme } from './scheme.ts';
import { row } from '#site/ui/layout.ts';
import { classNames } from '#site/ui/class-names.ts';
import toggle from '#site/ui/toggle.module.css';
import iconButton from '#site/ui/icon-button.module.css';
import css from './viewport.module.css';

/** Widths in CSS pixels. */
const devices = {
  Phone: { width: 360, icon: Smartphone },
  Tablet: { width: 768, icon: Tablet },
  Desktop: { width: 1280, icon: Monitor },
} as const;
type Device = keyof typeof devices;
const deviceNames = Object.keys(devices) as Device[];
const schemes = { Light: 'light', Dark: 'dark' } as const;
const sizes = ['whole', 'actual'] as const;

/** If the preview area is narrower than this, in CSS pixels, it starts with a phone. */
const narrow = 420;

function useRoom() {
  const stage = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState({ width: Math.min(640, innerWidth), height: 600 });
  useEffect(() => {
    const element = stage.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      // The area has no size while another part of the editor is shown.
      if (width > 0 && height > 0) setRoom({ width, height });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [stage, room] as const;
}

/**
 * The document of the frame once loaded; null if it is not the preview, for example after the session has ended.
 */
function useFrame() {
  const [root, setRoot] = useState<HTMLElement | null>();
  const onLoad = ({ currentTarget }: { readonly currentTarget: HTMLIFrameElement }) =>
    setRoot(currentTarget.contentDocument?.getElementById('preview') ?? null);
  return [root, onLoad] as const;
}

interface ViewportProps {
  readonly start: ReactNode;
  /** The page to render into the frame. */
  readonly children: ReactNode;
}

export function Viewport({ start, children }: ViewportProps) {
  const [stage, room] = useRoom();
  const [root, onLoad] = useFrame();
  const [device, setDevice] = useRemembered<Device | ''>('editor-width', deviceNames, '');
  const [scheme, setScheme] = useRemembered('editor-scheme', ['', 'light', 'dark'], '');
  const [size, setSize] = useRemembered('editor-size', sizes, 'whole');
  const isDark = useMediaQuery(darkScheme);
  const shownScheme = scheme || (isDark ? 'dark' : 'light');
  // The default until a device is chosen. In a small space, a desktop page would be unreadable.
  const shown = device || (room.width < narrow ? 'Phone' : 'Desktop');
  const { width } = devices[shown];
  const fitting = Math.min(1, room.width / width);
  const scale = size === 'actual' ? 1 : fitting;
  const height = Math.round(room.height / scale);

  useEffect(() => {
    if (root) showScheme(root.ownerDocument, scheme || undefined);
  }, [root, scheme]);

  useEffect(() => {
    // The editor's own elements in the page keep their normal size.
    root?.style.setProperty('--unscaled', String(1 / scale));
  }, [root, scale]);

  return (
    <section className={css['preview']} aria-label="Preview">
      <div className={row([1, 2], css['bar'])}>
        {start}
        <div className={row(2)}>
          <div role="group" aria-label="Preview width" className={css['choices']}>
            {deviceNames.map((name) => (
              <Choice
                key={name}
                icon={devices[name].icon}
                label={name}
                isChosen={name === shown}
                onChoose={() => setDevice(name)}
              />
            ))}
          </div>
          <div role="group" aria-label="Preview colors" className={css['choices']}>
            {(['Light', 'Dark'] as const).map((name) => (
              <Choice
                key={name}
                icon={name === 'Light' ? Sun : Moon}
                label={name}
                isChosen={schemes[name] === shownScheme}
                onChoose={() => setScheme(schemes[name])}
              />
            ))}
          </div>
          <Choice
            icon={ZoomIn}
            label={`Actual size, now ${Math.round(scale * 100)}%`}
            isChosen={size === 'actual'}
            onChoose={() => setSize(size === 'actual' ? 'whole' : 'actual')}
          />
        </div>
      </div>
      <div
        ref={stage}
        className={css['stage']}
        data-size={size}
        // At actual size, the page may be wider than the frame, so it can also be scrolled by keyboard.
        {...(size === 'actual' && { role: 'region', 'aria-label': 'Page at its actual size', tabIndex: 0 })}
      >
        {root === null && <Alert title="The page could not be shown">Reload this screen to see it.</Alert>}
        <div className={css['scaled']} style={{ width: width * scale, height: height * scale }}>
          <iframe
            src={linkTo('preview')}
            title={`Preview, ${width} pixels wide`}
            className={css['frame']}
            style={{ width, height, transform: `scale(${scale})` }}
            onLoad={onLoad}
          />
        </div>
      </div>
      {root && createPortal(children, root)}
    </section>
  );
}

function Choice({
  icon: ChoiceIcon,
  label,
  isChosen,
  onChoose,
}: {
  readonly icon: typeof Sun;
  readonly label: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  return (
    <button
      type="button"
      className={classNames(iconButton['icon'], toggle['toggle'])}
      aria-pressed={isChosen}
      title={label}
      onClick={onChoose}
    >
      <ChoiceIcon size="1.125rem" aria-hidden="true" />
      <span className="visually-hidden">{label}</span>
    </button>
  );
}
