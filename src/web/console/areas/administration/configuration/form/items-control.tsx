import { Plus, Trash2 } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { useForm } from './form-context.ts'
import { useFormTexts } from './form-texts.ts'
import { type Field, type ItemsField, usualValues } from './schema.ts'
import type { ControlProps } from './text-controls.tsx'
import { listOf, type Path, valueAt } from './values.ts'

type ItemsProps = ControlProps<ItemsField> & { readonly row: (field: Field, path: Path) => ReactNode }

/** A list of objects: each is a small form of rows. */
export function ItemsControl({ field, path, row }: ItemsProps) {
  const { names, draft, set, errorAt } = useForm()
  const texts = useFormTexts()
  const items = listOf(valueAt(draft, path))
  const label = names.label(path)
  const error = errorAt(path)
  const isFull = field.maxItems !== null && items.length >= field.maxItems
  return (
    <div className="config-items">
      {items.length === 0 && <p className="config-none">{texts.noEntries}</p>}
      {items.map((item, at) => (
        // Entries have no id: their place is their identity.
        <fieldset key={`${items.length}-${at}`} className="config-item">
          <legend className="visually-hidden">{texts.entry(label, at + 1)}</legend>
          <div className="config-item-fields">
            {typeof item === 'string' && field.text
              ? row(field.text, [...path, at])
              : field.fields.map((part) => <Fragment key={part.key}>{row(part, [...path, at, part.key])}</Fragment>)}
          </div>
          <Button
            size="s"
            look="quiet"
            icon={<Trash2 />}
            aria-label={texts.removeEntry(label, at + 1)}
            onPress={() => set(path, items.toSpliced(at, 1))}
          />
        </fieldset>
      ))}
      {error !== null && <p className="ui-field-error">{error}</p>}
      <div>
        <Button size="s" icon={<Plus />} isDisabled={isFull} onPress={() => set(path, [...items, usualValues(field.fields)])}>
          {texts.addTo(label)}
        </Button>
      </div>
    </div>
  )
}
