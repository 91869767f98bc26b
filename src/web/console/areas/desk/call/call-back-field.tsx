import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { type CallBack, localMoment, tomorrowMorning } from './draft.ts'
import { useDeskTexts } from './texts.ts'

const choices = ['NONE', 'HOUR', 'THREE_HOURS', 'TOMORROW', 'OTHER'] as const
type Choice = (typeof choices)[number]

/** Whether the agent promised to call again, and when. In the time zone of this device. */
export function CallBackField({ value, onChange }: { readonly value: CallBack; readonly onChange: (value: CallBack) => void }) {
  const texts = useDeskTexts()
  const choose = (choice: Choice): void => onChange(momentOf(choice))
  return (
    <div className="desk-call-back">
      <Select
        label={texts.callBack}
        options={choices.map((choice) => ({ value: choice, label: texts[choice] }))}
        value={value.kind === 'NONE' ? 'NONE' : (value.choice ?? 'OTHER')}
        onChange={choose}
      />
      {value.kind === 'AT' && (
        <Field
          label={texts.callBackAt}
          type="datetime-local"
          value={value.local}
          onChange={(local) => onChange(local === '' ? { kind: 'NONE' } : { kind: 'AT', local, choice: 'OTHER' })}
        />
      )}
    </div>
  )
}

function momentOf(choice: Choice): CallBack {
  if (choice === 'NONE') return { kind: 'NONE' }
  return { kind: 'AT', local: choice === 'TOMORROW' ? tomorrowMorning() : localMoment(choice === 'THREE_HOURS' ? 180 : 60), choice }
}
