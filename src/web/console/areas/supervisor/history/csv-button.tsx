import { Download } from 'lucide-react'
import { useState } from 'react'
import { problemOf } from '../../../app/problem.ts'
import { useProblemTexts } from '../../../app/problem-texts.ts'
import { service } from '../../../data/service-client.ts'
import { Button } from '../../../ui/button.tsx'
import { showToast } from '../../../ui/toast.ts'
import type { CallFilters } from './call-filters.ts'
import { useHistoryTexts } from './texts.ts'

type CsvButtonProps = {
  readonly query: CallFilters & {
    readonly from: string
    readonly to: string
    readonly agentId: string | null
    readonly campaignName: string | null
  }
}

/** All calls of the list as a file. It needs the token, so it is fetched, then given to the browser. */
export function CsvButton({ query: { from, to, ...filters } }: CsvButtonProps) {
  const texts = useHistoryTexts()
  const problems = useProblemTexts()
  const [isPending, setPending] = useState(false)
  const download = async (): Promise<void> => {
    setPending(true)
    try {
      const chosen = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null))
      const answer = await service.rest('GET /api/history/calls.csv', { query: { from, to, ...chosen } })
      saveFile(await answer.blob(), `calls-${from}-${to}.csv`)
      showToast({ tone: 'good', title: texts.downloaded })
    } catch (error) {
      const { title, advice } = problemOf(error, problems)
      showToast({ tone: 'bad', title, text: advice })
    } finally {
      setPending(false)
    }
  }
  return (
    <Button icon={<Download />} isPending={isPending} onPress={() => void download()}>
      {texts.download}
    </Button>
  )
}

function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
