import type { ServiceError } from '@call-center-sidecar/client'
import { useCallback, useState } from 'react'
import type { EnumOf } from '../../../data/graphql.ts'
import { keysOf } from '../../../data/keys.ts'
import { useAction } from '../../../data/use-action.ts'
import { useFormats } from '../../../i18n/format.ts'
import { useMember } from '../../../session/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useNow } from '../../../ui/now.ts'
import { spacedNumber } from '../../../ui/phone-number.tsx'
import { showToast } from '../../../ui/toast.ts'
import { callBackOf, isAhead, momentOf } from '../call-back/call-back.ts'
import { CallBackField } from '../call-back/call-back-field.tsx'
import { useWorklistTexts } from './texts.ts'
import { claimEntry, claimOf, finishEntry, giveBackEntry, scheduleEntry, type WorklistEntry } from './worklist.ts'

type EntryActionsProps = { readonly entry: WorklistEntry; readonly name: string | null; readonly now: number }

/** What this agent may do with an entry. The list itself follows the subscription. */
export function EntryActions({ entry, name, now }: EntryActionsProps) {
  const texts = useWorklistTexts()
  const { agent, role } = useMember()
  const claiming = useAction(claimEntry, useExplainedClaim())
  const givingBack = useAction(giveBackEntry)
  const [open, setOpen] = useState<'NONE' | 'FINISH' | 'RESCHEDULE'>('NONE')
  const close = (): void => setOpen('NONE')
  const claim = claimOf(entry, now)
  const { id } = entry
  const isOthers = claim !== null && claim.agentId !== agent?.id
  const canMove = role === 'MANAGER' || entry.assignee === null || entry.assignee.agentId === agent?.id
  return (
    <>
      {!isOthers && (
        <span className="ui-actions">
          {canMove && (
            <Button size="s" look="quiet" onPress={() => setOpen('RESCHEDULE')}>
              {texts.reschedule}
            </Button>
          )}
          {claim ? (
            <>
              <Button size="s" look="quiet" isPending={givingBack.isPending} onPress={() => void givingBack.run({ id })}>
                {texts.giveBack}
              </Button>
              <Button size="s" onPress={() => setOpen('FINISH')}>
                {texts.done}
              </Button>
            </>
          ) : (
            <Button size="s" isPending={claiming.isPending} onPress={() => void claiming.run({ id })}>
              {texts.claim}
            </Button>
          )}
        </span>
      )}
      {/* An open dialog stays while the row does, also if somebody else takes the person: the service refuses it and says who has them. */}
      <Finish entry={entry} name={name} isOpen={open === 'FINISH'} onClose={close} />
      {open === 'RESCHEDULE' && <Reschedule entry={entry} name={name} onClose={close} />}
    </>
  )
}

type Outcome = EnumOf<'WorklistOutcome'>
const outcomes = keysOf<Outcome>({ REACHED: true, NOT_NEEDED: true, WRONG_NUMBER: true, GAVE_UP: true })

type FinishProps = Omit<EntryActionsProps, 'now'> & { readonly isOpen: boolean; readonly onClose: () => void }

function Finish({ entry, name, isOpen, onClose }: FinishProps) {
  const texts = useWorklistTexts()
  const finishing = useAction(finishEntry, useExplainedClaim())
  const finish = async (outcome: Outcome): Promise<void> => {
    if (await finishing.run({ id: entry.id, outcome })) onClose()
  }
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
      <Whom entry={entry} name={name} />
      {outcomes.map((outcome) => (
        <Button key={outcome} isDisabled={finishing.isPending} onPress={() => void finish(outcome)}>
          {texts[outcome]}
        </Button>
      ))}
    </Dialog>
  )
}

type RescheduleProps = Omit<EntryActionsProps, 'now'> & { readonly onClose: () => void }

/** When the person is called: it also moves their callbacks. */
function Reschedule({ entry, name, onClose }: RescheduleProps) {
  const texts = useWorklistTexts()
  const { time } = useFormats()
  const [callBack, setCallBack] = useState(() => callBackOf('HOUR'))
  const isTimely = isAhead(callBack, useNow(15_000))
  const scheduling = useAction(scheduleEntry, useExplainedClaim())
  const save = async (): Promise<void> => {
    const dueAt = momentOf(callBack)
    if (dueAt === null || !isTimely || !(await scheduling.run({ id: entry.id, dueAt }))) return
    showToast({ tone: 'good', title: texts.moved(time(dueAt)) })
    onClose()
  }
  return (
    <Dialog
      title={texts.reschedule}
      isOpen
      onClose={onClose}
      onSubmit={() => void save()}
      actions={
        <>
          <Button look="quiet" onPress={onClose}>
            {texts.cancel}
          </Button>
          <Button look="primary" type="submit" isPending={scheduling.isPending} isDisabled={!isTimely}>
            {texts.save}
          </Button>
        </>
      }
    >
      <Whom entry={entry} name={name} />
      <CallBackField label={texts.callAgain} isRequired value={callBack} onChange={setCallBack} isTimely={isTimely} />
    </Dialog>
  )
}

function Whom({ entry: { phoneNumber }, name }: Pick<EntryActionsProps, 'entry' | 'name'>) {
  return <p className="numbers">{[name, spacedNumber(phoneNumber)].filter(Boolean).join(' · ')}</p>
}

/** Says who has the person. */
function useExplainedClaim(): (error: ServiceError) => string | null {
  const texts = useWorklistTexts()
  return useCallback(
    ({ reason, data }: ServiceError) => (reason === 'ALREADY_CLAIMED' ? texts.alreadyClaimed(claimantIn(data?.['claimedBy'])) : null),
    [texts],
  )
}

function claimantIn(claimedBy: unknown): string {
  return typeof claimedBy === 'object' && claimedBy !== null && 'name' in claimedBy ? String(claimedBy.name) : ''
}
