import type { ServiceError } from '@call-center-sidecar/client'
import { useCallback, useState } from 'react'
import { useAction } from '../../../data/use-action.ts'
import { useMember } from '../../../session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { spacedNumber } from '../../../ui/phone-number.tsx'
import { useWorklistTexts } from './texts.ts'
import { claimEntry, claimOf, finishEntry, giveBackEntry, type WorklistEntry } from './worklist.ts'

type EntryActionsProps = { readonly entry: WorklistEntry; readonly name: string | null; readonly now: number }

/** What this agent may do with an entry. The list itself follows the subscription. */
export function EntryActions({ entry, name, now }: EntryActionsProps) {
  const texts = useWorklistTexts()
  const { agent } = useMember()
  const explain = useCallback(
    ({ reason, data }: ServiceError) => (reason === 'ALREADY_CLAIMED' ? texts.alreadyClaimed(claimantIn(data?.['claimedBy'])) : null),
    [texts],
  )
  const claiming = useAction(claimEntry, explain)
  const givingBack = useAction(giveBackEntry)
  const [isFinishing, setFinishing] = useState(false)
  const claim = claimOf(entry, now)
  const { id } = entry
  if (claim && claim.agentId !== agent?.id) return null
  if (!claim) {
    return (
      <Button size="s" isPending={claiming.isPending} onPress={() => void claiming.run({ id })}>
        {texts.claim}
      </Button>
    )
  }
  return (
    <span className="ui-actions">
      <Button size="s" look="quiet" isPending={givingBack.isPending} onPress={() => void givingBack.run({ id })}>
        {texts.giveBack}
      </Button>
      <Button size="s" onPress={() => setFinishing(true)}>
        {texts.done}
      </Button>
      <Finish entry={entry} name={name} isOpen={isFinishing} onClose={() => setFinishing(false)} />
    </span>
  )
}

const outcomes = ['REACHED', 'NOT_NEEDED', 'WRONG_NUMBER', 'GAVE_UP'] as const

type FinishProps = Omit<EntryActionsProps, 'now'> & { readonly isOpen: boolean; readonly onClose: () => void }

function Finish({ entry, name, isOpen, onClose }: FinishProps) {
  const texts = useWorklistTexts()
  const finishing = useAction(finishEntry)
  return (
    <Dialog
      title={texts.howItEnded}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <Button look="quiet" onPress={onClose}>
          {texts.cancel}
        </Button>
      }
    >
      <p className="numbers">{[name, spacedNumber(entry.phoneNumber)].filter(Boolean).join(' · ')}</p>
      {outcomes.map((outcome) => (
        <Button key={outcome} isDisabled={finishing.isPending} onPress={() => void finishing.run({ id: entry.id, outcome }).then(onClose)}>
          {texts[outcome]}
        </Button>
      ))}
    </Dialog>
  )
}

function claimantIn(claimedBy: unknown): string {
  return typeof claimedBy === 'object' && claimedBy !== null && 'name' in claimedBy ? String(claimedBy.name) : ''
}
