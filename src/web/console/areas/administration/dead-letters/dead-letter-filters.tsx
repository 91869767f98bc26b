import { Button } from '../../../ui/button.tsx'
import { Filters } from '../../../ui/filters.tsx'
import { Select } from '../../../ui/select.tsx'
import type { DeadLetter } from './dead-letters.ts'
import type { Progress } from './replay.ts'
import { textOf, useDeadLetterTexts, useEventTexts } from './texts.ts'

/** `ALL`, or one of those that the loaded events have. */
export type Choice = { readonly reason: DeadLetter['reason'] | 'ALL'; readonly receiver: string }
export const everything: Choice = { reason: 'ALL', receiver: 'ALL' }

type FiltersProps = {
  readonly entries: readonly DeadLetter[]
  readonly choice: Choice
  readonly onChange: (part: Partial<Choice>) => void
  readonly chosen: number
  readonly isAllChosen: boolean
  readonly progress: Progress | null
  readonly onChooseAll: () => void
  readonly onReplay: () => void
}

export function DeadLetterFilters({ entries, choice, onChange, chosen, isAllChosen, progress, onChooseAll, onReplay }: FiltersProps) {
  const texts = useDeadLetterTexts()
  const events = useEventTexts()
  const reasons = [...new Set(entries.map(({ reason }) => reason))]
  const receivers = [...new Set(entries.map(({ receiver }) => receiver))]
  return (
    <Filters
      label={texts.filters}
      actions={
        <>
          <span className="admin-minor" role="status">
            {progress && texts.progress(progress.done, progress.count)}
          </span>
          <Button look="quiet" onPress={onChooseAll}>
            {isAllChosen ? texts.chooseNone : texts.chooseAll}
          </Button>
          <Button isPending={progress !== null} isDisabled={chosen === 0} onPress={onReplay}>
            {texts.replayChosen(chosen)}
          </Button>
        </>
      }
    >
      <Select
        label={texts.reason}
        value={choice.reason}
        onChange={(reason) => onChange({ reason })}
        options={[{ value: 'ALL', label: texts.allReasons }, ...reasons.map((value) => ({ value, label: texts[value] }))]}
      />
      <Select
        label={texts.receiver}
        value={choice.receiver}
        onChange={(receiver) => onChange({ receiver })}
        options={[{ value: 'ALL', label: texts.allReceivers }, ...receivers.map((value) => ({ value, label: textOf(events, value) }))]}
      />
    </Filters>
  )
}
