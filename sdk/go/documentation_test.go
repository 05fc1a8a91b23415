package authservice

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"reflect"
	"strings"
	"testing"
)

// undocumented returns the exported names of a package that have no comment, of which the reference is made.
func undocumented(t *testing.T, set *token.FileSet, files []*ast.File, path string) []string {
	t.Helper()
	found, err := doc.NewFromFiles(set, files, path)
	if err != nil {
		t.Fatal(err)
	}
	missing := bare("package "+found.Name, found.Doc)
	missing = append(missing, ofValues("", append(found.Consts, found.Vars...))...)
	missing = append(missing, ofFunctions("", found.Funcs)...)
	for _, each := range found.Types {
		missing = append(missing, bare(each.Name, each.Doc)...)
		missing = append(missing, ofValues(each.Name+".", append(each.Consts, each.Vars...))...)
		missing = append(missing, ofFunctions("", each.Funcs)...)
		missing = append(missing, ofFunctions(each.Name+".", each.Methods)...)
		for _, spec := range each.Decl.Specs {
			missing = append(missing, ofMembers(each.Name, spec.(*ast.TypeSpec).Type)...)
		}
	}
	return missing
}

func bare(name, comment string) []string {
	if strings.TrimSpace(comment) == "" {
		return []string{name}
	}
	return nil
}

func ofFunctions(owner string, functions []*doc.Func) (missing []string) {
	for _, each := range functions {
		missing = append(missing, bare(owner+each.Name, each.Doc)...)
	}
	return missing
}

// ofValues looks at each constant and variable: a comment of the group says too little.
func ofValues(owner string, groups []*doc.Value) (missing []string) {
	for _, group := range groups {
		for _, spec := range group.Decl.Specs {
			value := spec.(*ast.ValueSpec)
			comment := value.Doc.Text() + value.Comment.Text()
			if len(group.Decl.Specs) == 1 {
				comment += group.Doc
			}
			missing = append(missing, ofNames(owner, value.Names, comment)...)
		}
	}
	return missing
}

func ofNames(owner string, names []*ast.Ident, comment string) (missing []string) {
	for _, name := range names {
		if name.IsExported() {
			missing = append(missing, bare(owner+name.Name, comment)...)
		}
	}
	return missing
}

// ofMembers looks at the fields of a struct and at the methods of an interface. A comment can be that of several lines of fields.
func ofMembers(owner string, of ast.Expr) (missing []string) {
	fields := &ast.FieldList{}
	switch each := of.(type) {
	case *ast.StructType:
		fields = each.Fields
	case *ast.InterfaceType:
		fields = each.Methods
	}
	for _, field := range fields.List {
		missing = append(missing, ofNames(owner+".", field.Names, field.Doc.Text()+field.Comment.Text())...)
	}
	return missing
}

func TestEveryExportedNameHasAComment(t *testing.T) {
	for folder, path := range map[string]string{".": "auth-service/authservice", "authservicetest": "auth-service/authservice/authservicetest"} {
		isSource := func(info fs.FileInfo) bool { return !strings.HasSuffix(info.Name(), "_test.go") }
		set := token.NewFileSet()
		packages, err := parser.ParseDir(set, folder, isSource, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range packages {
			var files []*ast.File
			for _, file := range found.Files {
				files = append(files, file)
			}
			if missing := undocumented(t, set, files, path); len(missing) > 0 {
				t.Errorf("%s: without a comment are %v", path, missing)
			}
		}
	}
}

func TestAMissingCommentIsFound(t *testing.T) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "a.go", `package a

// T is a type.
type T struct {
	// A is documented.
	A int
	B, c int
}

func (t T) M() {}
func F() {}
type I interface{ N() }

// Both.
const (
	X = 1 // X is one.
	Y = 2
)
`, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	missing := undocumented(t, set, []*ast.File{file}, "example.com/a")
	if wanted := []string{"package a", "Y", "F", "I", "I.N", "T.M", "T.B"}; !reflect.DeepEqual(missing, wanted) {
		t.Errorf("found were %v, not %v", missing, wanted)
	}
}
