import type { FormEvent, ReactNode } from 'react'
import { explain, type ServiceError } from './failure.ts'

export type Call = {
  readonly ucid: string
  readonly phase: string
  readonly direction: string
  readonly phoneNumber?: string | null
}
type Enrichment = { readonly whoIsThis?: string | null; readonly reason?: string | null }
export type MissedCall = { readonly id: string; readonly phoneNumber?: string | null; readonly at: string }

/** The calls with the new state of one of them. An unknown call that is over is from before: its record may still change. */
export function withCall(known: readonly Call[], call: Call): readonly Call[] {
  if (known.some(({ ucid }) => ucid === call.ucid)) return known.map((old) => (old.ucid === call.ucid ? call : old))
  return ['RINGING', 'ANSWERED'].includes(call.phase) ? [...known, call] : known
}

export const fieldsOf = (form: HTMLFormElement): Readonly<Record<string, string>> =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : '']))

export function Problem({ error }: { readonly error: ServiceError | null | undefined }): ReactNode {
  return error && <p role="alert">{explain(error)}</p>
}

export function Header({ name, onSignOut }: { readonly name: string; readonly onSignOut: () => void }): ReactNode {
  return (
    <header>
      <h1>Agent desk</h1>
      <span>{name}</span>
      <button className="quiet" onClick={onSignOut}>
        Sign out
      </button>
    </header>
  )
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

export function Calls({ calls }: { readonly calls: readonly Call[] }): ReactNode {
  return (
    <Section title="Calls">
      {calls.length === 0 && <p className="quiet-text">No calls yet.</p>}
      <ul>
        {calls.map(({ ucid, phase, direction, phoneNumber }) => (
          <li key={ucid}>
            <span>
              {direction === 'INBOUND' ? 'From' : 'To'} {phoneNumber ?? 'withheld number'}
            </span>
            <span>{phase}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

type Lookup = {
  readonly lead?: { readonly name: string; readonly record?: { readonly createdAt?: string | null } | null } | null
  readonly lastCalls: readonly { readonly id: string; readonly startedAt?: string | null; readonly disposition?: string | null }[]
}

/** Who is calling. What the model says comes later than the rest: `children`. */
export function Caller({ lookup, children }: { readonly lookup: Lookup; readonly children: ReactNode }): ReactNode {
  return (
    <Section title="Caller">
      <p>
        <strong>{lookup.lead?.name ?? 'Unknown caller'}</strong>
        {lookup.lead?.record && <span> lead since {lookup.lead.record.createdAt?.slice(0, 10)}</span>}
      </p>
      {children}
      <ul aria-label="Last calls">
        {lookup.lastCalls.map(({ id, startedAt, disposition }) => (
          <li key={id}>
            <span>{startedAt?.slice(0, 10)}</span>
            <span>{disposition ?? 'no outcome'}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

export function Insight({ insight }: { readonly insight: Enrichment | null | undefined }): ReactNode {
  return insight ? <p>{insight.whoIsThis ?? insight.reason}</p> : <p className="quiet-text">Asking the model…</p>
}

type DialProps = { readonly onDial: (phoneNumber: string) => void; readonly error: ServiceError | null | undefined }

export function DialForm({ onDial, error }: DialProps): ReactNode {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    onDial(fieldsOf(event.currentTarget)['phoneNumber'] ?? '')
  }
  return (
    <Section title="Call somebody">
      <form onSubmit={submit}>
        <label>
          Phone number <input name="phoneNumber" type="tel" required />
        </label>
        <button>Dial</button>
        <Problem error={error} />
      </form>
    </Section>
  )
}

type OutcomeProps = {
  readonly choices: readonly string[]
  readonly onSave: (disposition: string, notes: string) => void
  readonly saved: string | null | undefined
  readonly error: ServiceError | null | undefined
}

/** If the workspace has no list, the provider decides: then the agent writes the outcome. */
export function OutcomeForm({ choices, onSave, saved, error }: OutcomeProps): ReactNode {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const { disposition = '', notes = '' } = fieldsOf(event.currentTarget)
    onSave(disposition, notes)
  }
  return (
    <Section title="Outcome">
      <form onSubmit={submit}>
        <label>Outcome {choices.length > 0 ? <Choice choices={choices} /> : <input name="disposition" required />}</label>
        <label>
          Notes <input name="notes" />
        </label>
        <button>Save outcome</button>
        {saved && <p role="status">Saved: {saved}</p>}
        <Problem error={error} />
      </form>
    </Section>
  )
}

function Choice({ choices }: { readonly choices: readonly string[] }): ReactNode {
  return (
    <select name="disposition">
      {choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  )
}

type MissedProps = { readonly calls: readonly MissedCall[]; readonly onMore: (() => void) | null }

export function MissedCalls({ calls, onMore }: MissedProps): ReactNode {
  return (
    <Section title="Missed calls">
      {calls.length === 0 && <p className="quiet-text">None is waiting.</p>}
      <ul>
        {calls.map(({ id, phoneNumber, at }) => (
          <li key={id}>
            <span>{phoneNumber ?? 'withheld number'}</span>
            <time dateTime={at}>{at.slice(11, 16)}</time>
          </li>
        ))}
      </ul>
      {onMore && (
        <button className="quiet" onClick={onMore}>
          Show more
        </button>
      )}
    </Section>
  )
}
