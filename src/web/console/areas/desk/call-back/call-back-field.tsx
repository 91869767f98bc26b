import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { type CallBack, callBackOf, momentChoices } from './call-back.ts'
import { useCallBackTexts } from './texts.ts'
import './call-back.css'

type CallBackFieldProps = {
  readonly label: string
  readonly value: CallBack
  readonly onChange: (value: CallBack) => void
  /** There must be a callback. */
  readonly isRequired?: boolean
  /** Whether the moment can be chosen now. */
  readonly isTimely: boolean
}

/** Whether to call again, and when. In the time zone of this device. */
export function CallBackField({ label, value, onChange, isRequired = false, isTimely }: CallBackFieldProps) {
  const texts = useCallBackTexts()
  const choices = isRequired ? momentChoices : (['NONE', ...momentChoices] as const)
  return (
    <div className="desk-call-back">
      <Select
        label={label}
        options={choices.map((choice) => ({ value: choice, label: texts[choice] }))}
        value={value.kind === 'NONE' ? 'NONE' : (value.choice ?? 'OTHER')}
        onChange={(choice) => onChange(choice === 'NONE' ? { kind: 'NONE' } : callBackOf(choice))}
      />
      {value.kind === 'AT' && (
        <Field
          label={texts.when}
          type="datetime-local"
          value={value.local}
          onChange={(local) => onChange({ kind: 'AT', local, choice: 'OTHER' })}
          error={isTimely ? null : texts.notAhead}
        />
      )}
    </div>
  )
}
