export function serverJsonProblems(server: object): readonly string[];
