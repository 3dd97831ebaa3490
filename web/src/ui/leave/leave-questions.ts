/** Asks if the user leaves something that is not saved; true if they do, or if there is nothing to lose. */
type LeaveQuestion = () => Promise<boolean>;

const questions = new Set<LeaveQuestion>();

/** Has a question asked before the page is left in a way that is no step to another address. Returns a function that ends this. */
export function addLeaveQuestion(question: LeaveQuestion): () => void {
  questions.add(question);
  return () => void questions.delete(question);
}

/** Asks the questions of the page one after the other. False once the user stays. */
export async function mayLeave(): Promise<boolean> {
  for (const question of questions) if (!(await question())) return false;
  return true;
}
