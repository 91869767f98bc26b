import { type FormEvent, useState } from 'react'
import { useQuery } from 'urql'
import { useAction } from '../../../data/use-action.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ErrorState, Skeleton } from '../../../ui/states.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { Handout } from '../team/handout.tsx'
import { addMember, teamQuery } from './documents.ts'
import { useSetupTexts } from './texts.ts'

/** Who is in the workspace, and a form for the first agent. The team's own screen has the rest. */
export function TeamStep({ onChanged }: { readonly onChanged: () => void }) {
  const texts = useSetupTexts()
  const [{ data, error }, reload] = useQuery({ query: teamQuery })
  if (!data) return error ? <ErrorState error={error} onRetry={() => reload({ requestPolicy: 'network-only' })} /> : <Skeleton rows={3} />
  const { nodes, totalCount } = data.teamMembers
  return (
    <>
      <section className="setup-part" aria-label={texts.members(totalCount)}>
        <h3>{texts.members(totalCount)}</h3>
        <ul className="setup-items">
          {nodes.map(({ id, firstName, lastName, email, role, agentId }) => (
            <li key={id}>
              <span>
                {`${firstName} ${lastName}`} <span className="ui-hint">{email}</span>
              </span>
              <span className="ui-actions">
                {agentId !== null && <Badge tone="info">{texts.agent}</Badge>}
                {role !== null && <Badge>{texts[role]}</Badge>}
              </span>
            </li>
          ))}
        </ul>
      </section>
      <NewMember onAdded={onChanged} />
    </>
  )
}

const empty = { email: '', firstName: '', lastName: '', providerAgentId: '', providerAgentPassword: '', sipExtension: '', sipPassword: '' }
type Entries = typeof empty
type Added = { readonly id: string; readonly email: string; readonly name: string }

function NewMember({ onAdded }: { readonly onAdded: () => void }) {
  const texts = useSetupTexts()
  const [entries, setEntries] = useState<Entries>(empty)
  const [takesCalls, setTakesCalls] = useState(true)
  const [added, setAdded] = useState<Added | null>(null)
  const { run, isPending } = useAction(addMember)
  const field = (
    name: keyof Entries,
    more: { readonly hint?: string; readonly type?: 'password' | 'email'; readonly isRequired?: boolean } = {},
  ) => (
    <Field
      label={texts[name]}
      value={entries[name]}
      onChange={(text) => setEntries({ ...entries, [name]: text })}
      autoComplete={more.type === 'password' ? 'new-password' : 'off'}
      {...more}
    />
  )
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const { email, firstName, lastName, ...agent } = entries
    const given = Object.fromEntries(Object.entries(agent).filter(([, text]) => text !== ''))
    const data = await run({ input: { email, firstName, lastName, role: 'USER', ...(takesCalls && { agent: given }) } })
    if (!data) return
    const { member } = data.createTeamMember
    setAdded({ id: member.id, email: member.email, name: `${entries.firstName} ${entries.lastName}` })
    setEntries(empty)
    onAdded()
  }
  return (
    <form className="setup-part" aria-label={texts.addTitle} onSubmit={(event) => void send(event)}>
      <h3>{texts.addTitle}</h3>
      {added && <FirstPassword key={added.id} member={added} />}
      <div className="setup-grid">
        {field('email', { type: 'email', isRequired: true })}
        {field('firstName', { isRequired: true })}
        {field('lastName', { isRequired: true })}
      </div>
      <Switch label={texts.takesCalls} hint={texts.takesCallsHint} isSelected={takesCalls} onChange={setTakesCalls} />
      {takesCalls && (
        <div className="setup-grid">
          {field('providerAgentId', { hint: texts.providerAgentIdHint })}
          {field('providerAgentPassword', { type: 'password' })}
          {field('sipExtension')}
          {field('sipPassword', { type: 'password' })}
        </div>
      )}
      <div className="ui-actions">
        <Button type="submit" isPending={isPending}>
          {texts.add}
        </Button>
      </div>
    </form>
  )
}

/** The password is fetched only when somebody asks for it: the audit log records each request. */
function FirstPassword({ member }: { readonly member: Added }) {
  const texts = useSetupTexts()
  const [isShown, setShown] = useState(false)
  return (
    <Notice tone="good" title={texts.added(member.name)} role="status">
      <p>{texts.passwordText}</p>
      {isShown ? (
        <Handout member={member} />
      ) : (
        <Button size="s" onPress={() => setShown(true)}>
          {texts.showPassword}
        </Button>
      )}
    </Notice>
  )
}
