import { memo, useState } from 'react'
import { useLead } from '../../../session/leads.ts'
import { useFormats } from '../../../i18n/format.ts'
import { Button } from '../../../ui/button.tsx'
import { useNow } from '../../../ui/now.ts'
import { Card } from '../../../ui/page.tsx'
import { Person } from '../../../ui/phone-number.tsx'
import { AssignDialog } from './assign-dialog.tsx'
import type { AgentRow, MissedCall, Overview } from './overview.ts'
import { useWallboardTexts } from './texts.ts'
import { useWorklist, type WorklistPerson } from './worklist.ts'

type MissedCallsProps = { readonly waiting: Overview['missedWaiting']; readonly agents: readonly AgentRow[] }

/** The newest missed calls whose caller waits, and who calls each of them back. */
export function MissedCalls({ waiting: { count, calls }, agents }: MissedCallsProps) {
  const texts = useWallboardTexts()
  const { number } = useFormats()
  const people = useWorklist(count)
  // It stays open when the call leaves the list: the message may be half written.
  const [open, setOpen] = useState<MissedCall | null>(null)
  const entryId = open?.worklistEntryId ?? null
  return (
    <section className="sup-part" aria-label={texts.missedCalls}>
      <Card isFlush>
        <header className="sup-card-head">
          <h2>
            {texts.missedCalls}
            <span>{number(count)}</span>
          </h2>
        </header>
        {calls.length === 0 ? (
          <p className="sup-none">{texts.nobodyMissed}</p>
        ) : (
          <ul className="wall-list wall-list-long" aria-label={texts.missedCalls} tabIndex={0}>
            {calls.map((call) => (
              <Missed key={call.id} call={call} person={people.get(call.worklistEntryId ?? '')} onAssign={setOpen} />
            ))}
            {count > calls.length && <li className="wall-note">{texts.more(count - calls.length)}</li>}
          </ul>
        )}
      </Card>
      {open && entryId !== null && (
        <AssignDialog entryId={entryId} call={open} person={people.get(entryId)} agents={agents} onClose={() => setOpen(null)} />
      )}
    </section>
  )
}

type MissedProps = {
  readonly call: MissedCall
  readonly person: WorklistPerson | undefined
  readonly onAssign: (call: MissedCall) => void
}

/** Rendered again only for another call or person, not with each update of the board. */
const Missed = memo(({ call, person, onAssign }: MissedProps) => {
  const { leadId, at, campaignName, worklistEntryId } = call
  const number = call.phoneNumber ?? call.dialledNumber
  const texts = useWallboardTexts()
  const { ago } = useFormats()
  const now = useNow(15_000)
  const name = useLead(leadId)?.name ?? null
  return (
    <li>
      <div>
        {number === null ? (name ?? texts.withheld) : <Person name={name} number={number} leadId={leadId} />}
        <p className="wall-note">
          <time dateTime={at}>{ago(at, now)}</time>
          {`, ${person ? holderOf(person, texts) : (campaignName ?? texts.noCampaign)}`}
        </p>
      </div>
      {worklistEntryId !== null && (
        <Button size="s" onPress={() => onAssign(call)}>
          {texts.assign}
        </Button>
      )}
    </li>
  )
})

function holderOf({ claim, assignee }: WorklistPerson, texts: ReturnType<typeof useWallboardTexts>): string {
  if (claim) return texts.claimedBy(claim.agentName)
  const name = assignee?.name ?? null
  return name === null ? texts.nobodyHas : texts.assignedTo(name)
}
