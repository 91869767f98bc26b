import { X } from 'lucide-react'
import { useMember } from '../../../session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { type Choice, useChoices } from '../choices.ts'
import { feelings, outcomes, useNames, verdicts } from '../names.ts'
import { type ListSearch, type Period, periods } from './list-search.ts'
import { SearchField } from './search-field.tsx'
import { useListTexts } from './texts.ts'

type Change = { readonly [Name in keyof ListSearch]: ListSearch[Name] | undefined }
type FiltersProps = { readonly search: ListSearch; readonly onChange: (change: Change) => void }

export const noFilters: Change = {
  q: undefined,
  agent: undefined,
  outcome: undefined,
  verdict: undefined,
  criterion: undefined,
  feeling: undefined,
  period: undefined,
  from: undefined,
  to: undefined,
}

export function hasFilters(search: ListSearch): boolean {
  return Object.keys(search).some((name) => name !== 'view')
}

/** What the analysis says is asked only of analysed calls. */
export function Filters({ search, onChange }: FiltersProps) {
  const texts = useListTexts()
  const { role } = useMember()
  const { agents, criteria } = useChoices()
  const isAll = search.view === 'all'
  return (
    <div className="rec-filters">
      {!isAll && <SearchField value={search.q ?? ''} onSearch={(q) => onChange({ q: q === '' ? undefined : q })} />}
      <div className="rec-filter-row">
        {role === 'MANAGER' && (
          <ChoiceSelect
            label={texts.agent}
            any={texts.everybody}
            choices={agents}
            value={search.agent}
            onChange={(agent) => onChange({ agent })}
          />
        )}
        {!isAll && <AnalysisFilters search={search} criteria={criteria} onChange={onChange} />}
        <PeriodFilter search={search} onChange={onChange} />
        {hasFilters(search) && (
          <Button look="quiet" icon={<X />} onPress={() => onChange(noFilters)}>
            {texts.reset}
          </Button>
        )}
      </div>
    </div>
  )
}

function AnalysisFilters({ search, criteria, onChange }: FiltersProps & { readonly criteria: readonly Choice[] }) {
  const texts = useListTexts()
  const names = useNames()
  const named = <Value extends keyof typeof names>(values: readonly Value[]) => values.map((value) => ({ id: value, name: names[value] }))
  return (
    <>
      <ChoiceSelect
        label={texts.outcome}
        any={texts.anyOutcome}
        choices={named(outcomes)}
        value={search.outcome}
        onChange={(outcome) => onChange({ outcome })}
      />
      <ChoiceSelect
        label={texts.verdict}
        any={texts.anyVerdict}
        choices={named(verdicts)}
        value={search.verdict}
        onChange={(verdict) => onChange({ verdict })}
      />
      {(criteria.length > 0 || search.criterion !== undefined) && (
        <ChoiceSelect
          label={texts.criterion}
          any={texts.anyCriterion}
          choices={withChosen(criteria, search.criterion)}
          value={search.criterion}
          onChange={(criterion) => onChange({ criterion })}
        />
      )}
      <ChoiceSelect
        label={texts.feeling}
        any={texts.anyFeeling}
        choices={named(feelings)}
        value={search.feeling}
        onChange={(feeling) => onChange({ feeling })}
      />
    </>
  )
}

function PeriodFilter({ search, onChange }: FiltersProps) {
  const texts = useListTexts()
  const isAll = search.view === 'all'
  // Without dates, all recordings are those of the last month.
  const choices = periods.filter((period) => !isAll || period !== 'month').map((period) => ({ id: period, name: texts[period] }))
  const choose = (period: Period | undefined): void => onChange({ period, from: undefined, to: undefined })
  return (
    <>
      <ChoiceSelect
        label={texts.when}
        any={isAll ? texts.month : texts.anyTime}
        choices={choices}
        value={search.period}
        onChange={choose}
      />
      {search.period === 'days' && (
        <>
          <DayField label={texts.from} value={search.from} onChange={(from) => onChange({ from })} />
          <DayField label={texts.to} value={search.to} onChange={(to) => onChange({ to })} />
        </>
      )}
    </>
  )
}

type DayFieldProps = {
  readonly label: string
  readonly value: string | undefined
  readonly onChange: (day: string | undefined) => void
}

function DayField({ label, value = '', onChange }: DayFieldProps) {
  return <Field label={label} type="date" value={value} onChange={(day) => onChange(day === '' ? undefined : day)} />
}

type ChoiceSelectProps<Id extends string> = {
  readonly label: string
  readonly any: string
  readonly choices: readonly { readonly id: Id; readonly name: string }[]
  readonly value: Id | undefined
  readonly onChange: (id: Id | undefined) => void
}

/** The first choice is no filter. */
export function ChoiceSelect<Id extends string>({ label, any, choices, value, onChange }: ChoiceSelectProps<Id>) {
  const options = [{ value: '', label: any }, ...choices.map(({ id, name }) => ({ value: id, label: name }))]
  return (
    <div className="rec-choice" data-chosen={value !== undefined}>
      <Select
        label={label}
        isLabelHidden
        options={options}
        value={value ?? ''}
        onChange={(chosen) => onChange(choices.find(({ id }) => id === chosen)?.id)}
      />
    </div>
  )
}

/** A criterion of an address that the configuration does not have any more. */
function withChosen(choices: readonly Choice[], chosen: string | undefined): readonly Choice[] {
  return chosen === undefined || choices.some(({ id }) => id === chosen) ? choices : [...choices, { id: chosen, name: chosen }]
}
