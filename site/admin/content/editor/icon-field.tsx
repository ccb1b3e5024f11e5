/** The field for an icon. Users type the icon's name or choose it from the set. */
import { useState, type ComponentProps } from 'react';
import { Button } from '#site/ui/button.tsx';
import { Field } from '#site/ui/field.tsx';
import { Icon } from '#site/ui/icon.tsx';
import { lazyPart } from '#site/app/lazy-part.tsx';
import { stack } from '#site/ui/layout.ts';

const IconChoice = lazyPart(() => import('./icon-choice.tsx'));

interface IconFieldProps extends ComponentProps<typeof Field> {
  readonly value: string;
  readonly onChoose: (name: string) => void;
}

export function IconField({ onChoose, ...field }: IconFieldProps) {
  const [isOpen, setIsOpen] = useState(false);
  const panelId = `${field.id ?? field.name}-icons`;
  return (
    <div className={stack(2)}>
      <Field
        {...field}
        spellCheck={false}
        autoCapitalize="none"
        trailing={
          <Button
            variant="secondary"
            aria-expanded={isOpen}
            aria-controls={panelId}
            icon={<Icon name={field.value} />}
            onClick={() => setIsOpen(!isOpen)}
          >
            Choose
          </Button>
        }
      />
      <div id={panelId} hidden={!isOpen}>
        {isOpen && (
          <IconChoice
            label={field.label}
            chosen={field.value}
            onChoose={(name) => {
              onChoose(name);
              setIsOpen(false);
            }}
          />
        )}
      </div>
    </div>
  );
}
