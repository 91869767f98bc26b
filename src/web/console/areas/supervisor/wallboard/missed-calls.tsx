import { useState } from 'react'
import { useFormats } from '../../../i18n/format.ts'
import { Button } from '../../../ui/button.tsx'
import { useNow } from '../../../ui/now.ts'
import { Card } from '../../../ui/page.tsx'
import { PhoneNumber } from '../../../ui/phone-number.tsx'
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
  const [openId, setOpenId] = useState<string | null>(null)
  const open = calls.find(({ id }) => id === openId)
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
              <Missed key={call.id} call={call} person={people.get(call.worklistEntryId ?? '')} onAssign={setOpenId} />
            ))}
            {count > calls.length && <li className="wall-note">{texts.more(count - calls.length)}</li>}
          </ul>
        )}
      </Card>
      {open && entryId !== null && (
        <AssignDialog
          entryId={entryId}
          phoneNumber={open.phoneNumber ?? ''}
          person={people.get(entryId)}
          agents={agents}
          onClose={() => setOpenId(null)}
        />
      )}
    </section>
  )
}

type MissedProps = {
  readonly call: MissedCall
  readonly person: WorklistPerson | undefined
  readonly onAssign: (id: string) => void
}

function Missed({ call: { id, phoneNumber, at, campaignName, worklistEntryId }, person, onAssign }: MissedProps) {
  const texts = useWallboardTexts()
  const { ago } = useFormats()
  const now = useNow(15_000)
  const holder = person?.claim ? texts.claimedBy(person.claim.agentName) : assigned(person, texts)
  return (
    <li>
      <div>
        {phoneNumber === null ? texts.withheld : <PhoneNumber number={phoneNumber} />}
        <p className="wall-note">
          <time dateTime={at}>{ago(at, now)}</time>
          {`, ${worklistEntryId === null ? (campaignName ?? texts.noCampaign) : holder}`}
        </p>
      </div>
      {worklistEntryId !== null && (
        <Button size="s" onPress={() => onAssign(id)}>
          {texts.assign}
        </Button>
      )}
    </li>
  )
}

function assigned(person: WorklistPerson | undefined, texts: ReturnType<typeof useWallboardTexts>): string {
  const name = person?.assignee?.name ?? null
  return name === null ? texts.nobodyHas : texts.assignedTo(name)
}
