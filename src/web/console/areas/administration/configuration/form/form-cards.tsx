import { useId } from 'react'
import type { SectionName } from '../sections.ts'
import { useSectionTexts } from '../section-texts.ts'
import { cardsOf, type FormCard } from './cards.ts'
import { FieldContent, FieldRow } from './field-row.tsx'
import { useForm } from './form-context.ts'
import type { Field } from './schema.ts'

/** All fields of a section, in cards. */
export function FormCards({ section, fields }: { readonly section: SectionName; readonly fields: readonly Field[] }) {
  return cardsOf(section, fields).map((card) => <Card key={card.fields[0]?.key} card={card} />)
}

function Card({ card: { title, fields } }: { readonly card: FormCard }) {
  const texts = useSectionTexts()
  const { names } = useForm()
  const id = useId()
  const [only] = fields
  if (!only) return null
  const isOwn = title === null
  return (
    <div role="group" className="config-card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{isOwn ? names.label([only.key]) : texts[title]}</h2>
        {isOwn && only.description !== null && names.hint([only.key], only) !== names.label([only.key]) && (
          <p className="ui-hint">{names.hint([only.key], only)}</p>
        )}
      </header>
      {isOwn ? (
        <FieldContent field={only} path={[only.key]} />
      ) : (
        fields.map((field) => <FieldRow key={field.key} field={field} path={[field.key]} />)
      )}
    </div>
  )
}
