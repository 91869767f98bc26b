import { Form } from 'react-aria-components/Form'
import { type FormEvent, useState } from 'react'
import type { FormAction } from '../../../data/form-action.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field } from '../../../ui/field.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { LeaveGuard } from '../configuration/leave-guard.tsx'
import { FreeAgents } from './free-agents.tsx'
import { type AgentField, agentFields, emptiedIn, isComplete, type MemberValues } from './member-values.ts'
import { useTeamTexts } from './texts.ts'
import './team.css'

export type MemberFormProps = {
  readonly initial: MemberValues
  /** Who exists has their address, and an agent stays one. */
  readonly isNew: boolean
  readonly action: Pick<FormAction<unknown, never>, 'isPending' | 'faultOf' | 'forget'>
  /** Before the fields in the paths of errors: `input` or `change`. */
  readonly path: string
  readonly onSubmit: (values: MemberValues) => void
  readonly onCancel: () => void
}

const secrets: ReadonlySet<AgentField> = new Set(['providerAgentPassword', 'sipPassword'])

export function MemberForm({ initial, isNew, action, path, onSubmit, onCancel }: MemberFormProps) {
  const texts = useTeamTexts()
  const [values, setValues] = useState(initial)
  const [isChecked, setChecked] = useState(false)
  const change = (part: Partial<MemberValues>): void => {
    action.forget()
    setValues({ ...values, ...part })
  }
  const of = (name: 'firstName' | 'lastName' | 'email') => ({
    name,
    label: texts[name],
    value: values[name],
    onChange: (value: string) => change({ [name]: value }),
    error: isChecked && values[name].trim() === '' ? texts.missing : action.faultOf(`${path}.${name}`),
    autoComplete: 'off',
    maxLength: name === 'email' ? 254 : 100,
  })
  const emptied = emptiedIn(initial, values)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setChecked(true)
    if (isComplete(values) && emptied.length === 0) onSubmit(values)
  }
  return (
    <Form className="admin-member" validationBehavior="aria" onSubmit={submit}>
      <div className="admin-member-fields">
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just asked for this form */}
        <Field {...of('firstName')} autoFocus />
        <Field {...of('lastName')} />
        {isNew && <Field {...of('email')} type="email" />}
        <RoleField value={values.role} onChange={(role) => change({ role })} />
      </div>
      {(isNew || !initial.takesCalls) && (
        <Checkbox isChecked={values.takesCalls} onChange={(takesCalls) => change({ takesCalls })} hint={texts.takesCallsHint}>
          {texts.takesCalls}
        </Checkbox>
      )}
      {values.takesCalls && (
        <AgentFields
          values={values}
          isNew={isNew}
          faultOf={(name) => (isChecked && emptied.includes(name) ? texts.emptied : action.faultOf(`${path}.agent.${name}`))}
          onChange={change}
        />
      )}
      <LeaveGuard isDirty={JSON.stringify(values) !== JSON.stringify(initial)} />
      <div className="ui-actions">
        <Button look="primary" type="submit" isPending={action.isPending}>
          {isNew ? texts.create : texts.save}
        </Button>
        <Button look="quiet" onPress={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </Form>
  )
}

type RoleFieldProps = { readonly value: MemberValues['role']; readonly onChange: (role: MemberValues['role']) => void }

function RoleField({ value, onChange }: RoleFieldProps) {
  const texts = useTeamTexts()
  const options = [
    { value: 'USER', label: texts.USER },
    { value: 'MANAGER', label: texts.MANAGER },
  ] as const
  return (
    <div className="ui-field">
      <p className="ui-label">{texts.role}</p>
      <Segments label={texts.role} value={value} onChange={onChange} options={options} />
      <p className="ui-hint">{texts.roleHint}</p>
    </div>
  )
}

type AgentFieldsProps = {
  readonly values: MemberValues
  readonly isNew: boolean
  readonly faultOf: (name: AgentField) => string | null
  readonly onChange: (part: Partial<MemberValues>) => void
}

function AgentFields({ values: { agent }, isNew, faultOf, onChange }: AgentFieldsProps) {
  const texts = useTeamTexts()
  return (
    <fieldset className="admin-member-agent">
      <legend className="ui-label">{texts.agentTitle}</legend>
      {agentFields.every((name) => agent[name] === '') && <FreeAgents onChoose={(free) => onChange({ agent: free })} />}
      <div className="admin-member-fields">
        {agentFields.map((name) => (
          <Field
            key={name}
            name={name}
            label={texts[name]}
            value={agent[name]}
            error={faultOf(name)}
            onChange={(value) => onChange({ agent: { ...agent, [name]: value } })}
            // A manager types another person's password: the browser must not offer to save it as theirs.
            autoComplete={secrets.has(name) ? 'new-password' : 'off'}
            type={secrets.has(name) ? 'password' : 'text'}
            maxLength={secrets.has(name) ? 200 : 100}
            {...(secrets.has(name) && !isNew && { placeholder: texts.unchanged })}
          />
        ))}
      </div>
      <p className="ui-hint">{texts.optional}</p>
    </fieldset>
  )
}
