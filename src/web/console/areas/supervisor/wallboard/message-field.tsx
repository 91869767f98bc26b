import { Field } from '../../../ui/field.tsx'
import { useActionTexts } from './action-texts.ts'
import { messageLength } from './actions.ts'

type MessageFieldProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly isRequired?: boolean
}

/** What a supervisor writes to the agent whom an action concerns. */
export function MessageField({ isRequired = false, ...props }: MessageFieldProps) {
  const texts = useActionTexts()
  return (
    <Field
      {...props}
      rows={3}
      hint={texts.messageHint}
      isRequired={isRequired}
      maxLength={messageLength}
      {...(!isRequired && { placeholder: texts.optional })}
    />
  )
}
