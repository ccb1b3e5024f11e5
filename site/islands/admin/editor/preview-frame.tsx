/** The live preview beside a form: the section as visitors will see it, at the width of a phone, tablet or desktop. */
import { linkTo } from '#contract/screens.ts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Monitor, Smartphone, Tablet } from 'lucide-react';
import type { SectionName } from '#contract/sections/index.ts';
import type { Values } from '../content-calls.ts';
import { isPreviewReport, type PreviewDraft } from '../preview/preview-message.ts';
import css from './preview-frame.module.css';

/** Widths in CSS pixels. */
const phone = { label: 'Phone', width: 360, icon: Smartphone };
const tablet = { label: 'Tablet', width: 768, icon: Tablet };
const desktop = { label: 'Desktop', width: 1280, icon: Monitor };
const devices = [phone, tablet, desktop] as const;

/** Where the frame is narrower than this, in CSS pixels, it shows a phone at first. */
const narrow = 420;

const shortest = 160;
/** A section taller than this scrolls inside the preview. */
const tallest = 2_400;

export interface PreviewFrameProps {
  readonly section: SectionName;
  readonly id: string | undefined;
  readonly values: Values;
  readonly generation: number;
}

export function PreviewFrame({ section, id, values, generation }: PreviewFrameProps) {
  const [chosen, setChosen] = useState<number>();
  const [height, setHeight] = useState(480);
  const [room, setRoom] = useState(() => Math.min(640, innerWidth));
  const frame = useRef<HTMLIFrameElement>(null);
  const stage = useRef<HTMLDivElement>(null);

  const sendDraft = useEffectEvent(() => {
    const draft: PreviewDraft = { type: 'draft', section, id, values, generation };
    frame.current?.contentWindow?.postMessage(draft, location.origin);
  });
  const take = useEffectEvent((event: MessageEvent<unknown>) => {
    if (event.origin !== location.origin || event.source !== frame.current?.contentWindow) return;
    if (!isPreviewReport(event.data)) return;
    if (event.data.type === 'ready') sendDraft();
    else setHeight(Math.min(tallest, Math.max(shortest, event.data.height)));
  });

  useEffect(() => {
    const listen = (event: MessageEvent<unknown>) => take(event);
    addEventListener('message', listen);
    return () => removeEventListener('message', listen);
  }, []);
  useEffect(() => sendDraft(), [section, id, values, generation]);
  useEffect(() => {
    const element = stage.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => setRoom(entry?.contentRect.width ?? 640));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // Until a device is chosen: in a narrow window, also one that has become so, a desktop would be too small to read.
  const width = chosen ?? (room < narrow ? phone.width : desktop.width);
  const scale = Math.min(1, room / width);
  return (
    <section className={css['preview']} aria-label="Preview">
      <div className={css['bar']} role="group" aria-label="Preview width">
        <span className={css['name']}>Preview</span>
        {devices.map(({ label, width: deviceWidth, icon: DeviceIcon }) => (
          <button
            key={label}
            type="button"
            className={css['device']}
            aria-pressed={deviceWidth === width}
            onClick={() => setChosen(deviceWidth)}
          >
            <DeviceIcon size={18} aria-hidden="true" />
            {label}
          </button>
        ))}
      </div>
      <div ref={stage} className={css['stage']} style={{ height: height * scale }}>
        <iframe
          ref={frame}
          src={linkTo('preview')}
          title={`Preview, ${width} pixels wide`}
          className={css['frame']}
          style={{ width, height, transform: `translateX(-50%) scale(${scale})` }}
        />
      </div>
    </section>
  );
}
