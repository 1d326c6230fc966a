package main
import ("fmt";"os";"github.com/octable/octable/dsl")
func main(){ for _,n:=range os.Args[1:] { b,_:=os.ReadFile(n); f,err:=dsl.Parse(n,b); fmt.Println(n,len(f.Decls),len(f.Comments)); if err!=nil {fmt.Println(err)} } }
