import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Filters } from '../../../ui/filters.tsx'
import { Select } from '../../../ui/select.tsx'
import type { TelephonyProviders } from '../telephony-providers.ts'
import { type Verdict, verdicts } from './log.ts'
import { useWebhookTexts } from './texts.ts'

export type Choice = {
  /** ALL, or an ID. */
  readonly provider: string
  readonly verdict: Verdict | 'ALL'
  readonly period: 'WEEK' | 'DAY' | 'HOUR'
  readonly ucid: string
}
export const everything: Choice = { provider: 'ALL', verdict: 'ALL', period: 'WEEK', ucid: '' }

type FiltersProps = Pick<TelephonyProviders, 'providers'> & {
  readonly choice: Choice
  readonly onChange: (part: Partial<Choice>) => void
}

export function WebhookFilters({ providers, choice, onChange }: FiltersProps) {
  const texts = useWebhookTexts()
  const isEverything = JSON.stringify(choice) === JSON.stringify(everything)
  return (
    <Filters
      label={texts.filters}
      actions={
        !isEverything && (
          <Button look="quiet" onPress={() => onChange(everything)}>
            {texts.reset}
          </Button>
        )
      }
    >
      <Select
        label={texts.verdict}
        value={choice.verdict}
        onChange={(verdict) => onChange({ verdict })}
        options={[{ value: 'ALL', label: texts.allVerdicts }, ...verdicts.map((value) => ({ value, label: texts[value] }))]}
      />
      <Select
        label={texts.provider}
        value={choice.provider}
        onChange={(provider) => onChange({ provider })}
        options={[{ value: 'ALL', label: texts.allProviders }, ...providers.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      <Select
        label={texts.period}
        value={choice.period}
        onChange={(period) => onChange({ period })}
        options={(['WEEK', 'DAY', 'HOUR'] as const).map((value) => ({ value, label: texts[value] }))}
      />
      <Field
        label={texts.call}
        type="search"
        value={choice.ucid}
        onChange={(ucid) => onChange({ ucid: ucid.trim() })}
        autoComplete="off"
        maxLength={100}
      />
    </Filters>
  )
}
