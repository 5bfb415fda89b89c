/** What a thread does that examines files which are not connected yet, see `sync/library/FileExamination.ts`. */
import { files } from "../connectors/files/Files.ts"
import { examineInThread } from "../sync/library/ExamineInThread.ts"

export const examineFiles = (): void => examineInThread(files)
