import { CircleCheck, RotateCcw, SearchX } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { useProblem } from '../../../data/problem.ts'
import { useLeadsOf } from '../../../session/leads.ts'
import { type Pages, useListPages } from '../../../data/pages.ts'
import { usePolling } from '../../../data/polling.ts'
import { useAction } from '../../../data/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { PagedTable } from '../../../data/paged-table.tsx'
import { useDeadLetterColumns } from './columns.tsx'
import { type DeadLetter, type DeadLetters, deadLettersDocument, replayAll } from './dead-letters.ts'
import { type Choice, DeadLetterFilters, everything } from './dead-letter-filters.tsx'
import { type ReplayOutcome, useReplays } from './replay.ts'
import { useDeadLetterTexts } from './texts.ts'

const refreshMs = 15_000
const none: ReadonlySet<string> = new Set()

/** Events and call records that could not be processed: why, and once more. */
export function DeadLettersScreen() {
  const texts = useDeadLetterTexts()
  const pages = useListPages({ document: deadLettersDocument, variables: {}, listOf })
  useLeadsOf((pages.entries ?? []).map(({ leadId }) => leadId))
  const [choice, setChoice] = useState<Choice>(everything)
  const [chosen, setChosen] = useState(none)
  const { reload } = pages
  const onReplayed = useCallback(() => {
    setChosen(none)
    reload()
  }, [reload])
  const { isBusy, isAll, progress, result, replaySome, replayEach } = useReplaying(onReplayed)
  const replayOnly = useCallback((id: string) => replaySome([id]), [replaySome])
  usePolling(() => void (!isBusy && pages.refresh()), refreshMs)
  const shown = useMemo(() => (pages.entries ?? []).filter((entry) => fits(entry, choice)), [pages.entries, choice])
  const onChoose = useCallback((id: string, isChosen: boolean) => setChosen((before) => withMember(before, id, isChosen)), [])
  const ids = shown.filter(({ id }) => chosen.has(id)).map(({ id }) => id)
  const isAllChosen = ids.length > 0 && ids.length === shown.length
  const replayAllButton = (
    <Button icon={<RotateCcw />} isPending={isAll} isDisabled={progress !== null} onPress={replayEach}>
      {texts.replayAll}
    </Button>
  )
  const hasEntries = pages.entries !== null && pages.entries.length > 0
  return (
    <Page isWide title={texts.title} lead={texts.lead} actions={hasEntries && replayAllButton}>
      {result && <ReplayResult result={result} />}
      {hasEntries && (
        <DeadLetterFilters
          entries={pages.entries}
          choice={choice}
          onChange={(part) => setChoice({ ...choice, ...part })}
          chosen={ids.length}
          progress={progress}
          isAllChosen={isAllChosen}
          onChooseAll={() => setChosen(isAllChosen ? none : new Set(shown.map(({ id }) => id)))}
          onReplay={() => replaySome(ids)}
        />
      )}
      <DeadLetterTable pages={pages} rows={shown} choosing={{ chosen, isBusy, onChoose, onReplay: replayOnly }} />
    </Page>
  )
}

/** What is sent again, and with what result. `replaySome` is the same function as long as `onDone` is, so that no row is drawn again. */
function useReplaying(onDone: () => void) {
  const { progress, replay } = useReplays()
  const all = useAction(replayAll)
  const [result, setResult] = useState<Result | null>(null)
  const show = useCallback(
    (outcome: Result): void => {
      setResult(outcome)
      onDone()
    },
    [onDone],
  )
  const replayEach = async (): Promise<void> => {
    const answer = await all.run({})
    if (answer) show({ ...answer.replayDeadLetters, gone: 0, failed: 0, problem: null })
  }
  return {
    progress,
    result,
    isAll: all.isPending,
    isBusy: progress !== null || all.isPending,
    replaySome: useCallback((ids: readonly string[]) => void replay(ids).then(show), [replay, show]),
    replayEach: () => void replayEach(),
  }
}

type Result = ReplayOutcome & { readonly remaining?: boolean }

function listOf({ deadLetters }: DeadLetters): DeadLetters['deadLetters'] {
  return deadLetters
}

function fits({ reason, receiver }: DeadLetter, choice: Choice): boolean {
  return (choice.reason === 'ALL' || reason === choice.reason) && (choice.receiver === 'ALL' || receiver === choice.receiver)
}

function withMember(before: ReadonlySet<string>, id: string, isMember: boolean): ReadonlySet<string> {
  const changed = new Set(before)
  if (isMember) changed.add(id)
  else changed.delete(id)
  return changed
}

function ReplayResult({ result: { replayed, gone, failed, problem, remaining = false } }: { readonly result: Result }) {
  const texts = useDeadLetterTexts()
  const { title, advice } = useProblem(problem)
  return (
    <Notice tone={failed > 0 ? 'bad' : gone > 0 ? 'warn' : 'good'} role="status" title={texts.replayed(replayed)}>
      {gone > 0 && <p>{texts.gone(gone)}</p>}
      {failed > 0 && <p>{`${texts.notSent(failed)} ${title}. ${advice}`}</p>}
      {(remaining || replayed > 0) && <p>{remaining ? texts.moreRemain : texts.comesBack}</p>}
    </Notice>
  )
}

type TableProps = {
  readonly pages: Pages<DeadLetter>
  readonly rows: readonly DeadLetter[]
  readonly choosing: Parameters<typeof useDeadLetterColumns>[0]
}

function DeadLetterTable({ pages, rows, choosing }: TableProps) {
  const texts = useDeadLetterTexts()
  const columns = useDeadLetterColumns(choosing)
  const isEmpty = pages.entries?.length === 0
  return (
    <PagedTable
      label={texts.title}
      pages={pages}
      columns={columns}
      rows={rows}
      empty={{
        icon: isEmpty ? <CircleCheck /> : <SearchX />,
        title: isEmpty ? texts.empty : texts.noneFits,
        text: isEmpty ? texts.emptyText : texts.noneFitsText,
      }}
    />
  )
}
