import { useMemo } from 'react'
import type { NameOf } from '../../../session/leads.ts'
import { useFormats } from '../../../i18n/format.ts'
import { useMember } from '../../../session/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Person } from '../../../ui/phone-number.tsx'
import type { Column } from '../../../ui/table.tsx'
import { EntryActions } from './entry-actions.tsx'
import { useWorklistTexts } from './texts.ts'
import { claimOf, type WorklistEntry } from './worklist.ts'

export function useWorklistColumns(now: number, nameOf: NameOf): readonly Column<WorklistEntry>[] {
  const texts = useWorklistTexts()
  const { time, number } = useFormats()
  return useMemo(
    () => [
      {
        id: 'person',
        title: texts.person,
        isHeading: true,
        cell: ({ phoneNumber, leadId }) => <Person name={nameOf(leadId)} number={phoneNumber} leadId={leadId} />,
      },
      { id: 'reason', title: texts.reason, cell: (entry) => <Reason entry={entry} /> },
      {
        id: 'due',
        title: texts.due,
        cell: ({ dueAt }) => {
          const when = <time dateTime={dueAt}>{time(dueAt, now)}</time>
          if (Date.parse(dueAt) > now) return when
          return (
            <Badge tone="warn">
              {texts.isDue} {when}
            </Badge>
          )
        },
        sortBy: ({ dueAt }) => Date.parse(dueAt),
        isNumber: true,
      },
      { id: 'tries', title: texts.tries, cell: ({ tries }) => number(tries), sortBy: ({ tries }) => tries, isNumber: true, isMinor: true },
      { id: 'who', title: texts.who, cell: (entry) => <Who entry={entry} now={now} /> },
      {
        id: 'actions',
        title: texts.actions,
        isTitleHidden: true,
        isNumber: true,
        cell: (entry) => <EntryActions entry={entry} name={nameOf(entry.leadId)} now={now} />,
      },
    ],
    [texts, time, number, now, nameOf],
  )
}

type EntryProps = { readonly entry: WorklistEntry }

function Reason({ entry: { missedCount, lastMissedAt, callbacks } }: EntryProps) {
  const texts = useWorklistTexts()
  const { time } = useFormats()
  const [scheduled] = callbacks
  return (
    <>
      {scheduled && <div>{texts.scheduled(time(scheduled.at))}</div>}
      {lastMissedAt !== null && <div>{texts.missed(missedCount, time(lastMissedAt))}</div>}
    </>
  )
}

function Who({ entry, now }: EntryProps & { readonly now: number }) {
  const texts = useWorklistTexts()
  const { agent } = useMember()
  const { time } = useFormats()
  const claim = claimOf(entry, now)
  if (!claim) {
    return <Badge>{typeof entry.assignee?.name === 'string' ? texts.suggested(entry.assignee.name) : texts.nobody}</Badge>
  }
  const isOwn = claim.agentId === agent?.id
  const name = isOwn ? texts.you : claim.agentName
  return (
    <Badge tone={isOwn ? 'info' : 'warn'} hasDot>
      {claim.until === null ? name : texts.until(name, time(claim.until, now))}
    </Badge>
  )
}
