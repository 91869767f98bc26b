import { useMemo } from 'react'
import { Button } from 'react-aria-components/Button'
import { useFormats } from '../../../i18n/format.ts'
import type { Column } from '../../../ui/table.tsx'
import type { AuditEntry } from './entries.ts'
import { useActionTexts, useAuditTexts, useDetailTexts } from './texts.ts'
import '../rows.css'
import './audit.css'

export type Named = { readonly id: string; readonly name: string }
export type Choosing = { readonly onPerson: (person: Named) => void; readonly onTarget: (target: Named) => void }

export function useAuditColumns({ onPerson, onTarget }: Choosing): readonly Column<AuditEntry>[] {
  const texts = useAuditTexts()
  const actions = useActionTexts()
  const { second } = useFormats()
  return useMemo(
    () => [
      { id: 'when', title: texts.when, cell: ({ at }) => <time dateTime={at}>{second(at)}</time> },
      { id: 'who', title: texts.who, cell: ({ actor }) => <Person actor={actor} onPerson={onPerson} /> },
      {
        id: 'action',
        title: texts.action,
        isHeading: true,
        cell: ({ action }) => <span className="admin-strong">{textOf(actions, action)}</span>,
      },
      { id: 'target', title: texts.target, cell: (entry) => <Target entry={entry} onTarget={onTarget} /> },
      { id: 'details', title: texts.details, cell: (entry) => <Details entry={entry} /> },
    ],
    [texts, actions, second, onPerson, onTarget],
  )
}

function textOf(texts: Readonly<Record<string, string>>, name: string): string {
  return Object.entries(texts).find(([known]) => known === name)?.[1] ?? name
}

function Person({ actor: { memberId, name, ip }, onPerson }: Pick<AuditEntry, 'actor'> & Pick<Choosing, 'onPerson'>) {
  const texts = useAuditTexts()
  const shown = name ?? texts.unknownPerson
  return (
    <div className="admin-stack admin-who">
      {memberId === null ? (
        <span>{shown}</span>
      ) : (
        <Button className="admin-link" aria-label={texts.onlyPerson(shown)} onPress={() => onPerson({ id: memberId, name: shown })}>
          {shown}
        </Button>
      )}
      {ip !== null && <span className="admin-minor numbers">{ip}</span>}
    </div>
  )
}

function Target({ entry: { targetId, targetName }, onTarget }: { readonly entry: AuditEntry } & Pick<Choosing, 'onTarget'>) {
  const texts = useAuditTexts()
  if (targetId === null) return null
  // The name of what has none is its ID.
  const name = targetName ?? targetId
  return (
    <Button className="admin-link admin-target" aria-label={texts.onlyTarget(name)} onPress={() => onTarget({ id: targetId, name })}>
      {name}
    </Button>
  )
}

const isId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}$/
const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/

/** What a person can read of an entry: no IDs. */
function Details({ entry: { details } }: { readonly entry: AuditEntry }) {
  const texts = useAuditTexts()
  const names = useDetailTexts()
  const { time } = useFormats()
  const shown = details.flatMap(({ name, value }) => (value === null || value === '' || isId.test(value) ? [] : [{ name, value }]))
  const readable = (value: string): string => {
    if (isMoment.test(value)) return time(value)
    return value === 'true' ? texts.yes : value === 'false' ? texts.no : value
  }
  if (shown.length === 0) return null
  return (
    <dl className="admin-details">
      {shown.map(({ name, value }) => (
        <div key={name}>
          <dt>{textOf(names, name)}</dt>
          <dd>{readable(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
