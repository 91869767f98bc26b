import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { showToast } from '../ui/toast.ts'
import { problemOf } from './problem.ts'
import { useProblemTexts } from './problem-texts.ts'

type DownloadButtonProps = {
  readonly children: string
  /** Of the file. */
  readonly name: string
  /** Said when the browser has it. */
  readonly done: string
  readonly read: () => Promise<Response>
}

/** A file of the service. It needs the member's token, so it is fetched, then given to the browser. */
export function DownloadButton({ children, name, done, read }: DownloadButtonProps) {
  const problems = useProblemTexts()
  const [isPending, setPending] = useState(false)
  const download = async (): Promise<void> => {
    setPending(true)
    try {
      const answer = await read()
      saveFile(await answer.blob(), name)
      showToast({ tone: 'good', title: done })
    } catch (error) {
      const { title, advice } = problemOf(error, problems)
      showToast({ tone: 'bad', title, text: advice })
    } finally {
      setPending(false)
    }
  }
  return (
    <Button icon={<Download />} isPending={isPending} onPress={() => void download()}>
      {children}
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
