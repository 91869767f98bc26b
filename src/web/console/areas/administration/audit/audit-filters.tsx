import { X } from 'lucide-react'
import { useQuery } from 'urql'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Filters } from '../../../ui/filters.tsx'
import { Select } from '../../../ui/select.tsx'
import type { Named } from './columns.tsx'
import { peopleDocument, type Subject, subjects } from './entries.ts'
import { useAuditTexts, useSubjectTexts } from './texts.ts'

/** `from` and `to` are days as a date field writes them, or empty. */
export type Choice = {
  readonly person: Named | null
  readonly target: Named | null
  readonly subject: Subject | 'ALL'
  readonly from: string
  readonly to: string
}
export const everything: Choice = { person: null, target: null, subject: 'ALL', from: '', to: '' }

type FiltersProps = { readonly choice: Choice; readonly onChange: (part: Partial<Choice>) => void }

export function AuditFilters({ choice, onChange }: FiltersProps) {
  const texts = useAuditTexts()
  const names = useSubjectTexts()
  const people = usePeople(choice.person)
  const isEverything = JSON.stringify(choice) === JSON.stringify(everything)
  const day = (name: 'from' | 'to') => ({
    label: texts[name],
    type: 'date',
    value: choice[name],
    onChange: (value: string) => onChange({ [name]: value }),
  })
  return (
    <Filters
      label={texts.filters}
      actions={
        <>
          {choice.target && (
            <Button icon={<X />} onPress={() => onChange({ target: null })} aria-label={texts.removeFilter(choice.target.name)}>
              {choice.target.name}
            </Button>
          )}
          {!isEverything && (
            <Button look="quiet" onPress={() => onChange(everything)}>
              {texts.reset}
            </Button>
          )}
        </>
      }
    >
      <Select
        label={texts.who}
        value={choice.person?.id ?? 'ALL'}
        onChange={(id) => onChange({ person: people.find((person) => person.id === id) ?? null })}
        options={[{ value: 'ALL', label: texts.anybody }, ...people.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      <Select
        label={texts.what}
        value={choice.subject}
        onChange={(subject) => onChange({ subject })}
        options={[{ value: 'ALL', label: texts.everything }, ...subjects.map((value) => ({ value, label: names[value] }))]}
      />
      <Field {...day('from')} />
      <Field {...day('to')} />
    </Filters>
  )
}

/** The team, and the chosen person if they are no longer in it. */
function usePeople(chosen: Named | null): readonly Named[] {
  const [{ data }] = useQuery({ query: peopleDocument, requestPolicy: 'cache-first' })
  const people = (data?.teamMembers.nodes ?? []).map(({ id, firstName, lastName, email }) => ({
    id,
    name: `${firstName} ${lastName}`.trim() || email,
  }))
  const known = people.toSorted((a, b) => a.name.localeCompare(b.name))
  return chosen && !known.some(({ id }) => id === chosen.id) ? [chosen, ...known] : known
}
