// Command pbgen writes the protobuf code of the game state to a folder. There is no .proto
// file: the descriptor is made here, and given to protoc-gen-go as protoc would.
package main

import (
	"bytes"
	"log"
	"os"
	"os/exec"
	"path/filepath"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

const (
	file = "game.proto"
	path = "github.com/octable/octable/codec/bench/run-go-generate/pbgame"
)

func field(number int32, name string, kind descriptorpb.FieldDescriptorProto_Type, repeated bool, message string) *descriptorpb.FieldDescriptorProto {
	label := descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL
	if repeated {
		label = descriptorpb.FieldDescriptorProto_LABEL_REPEATED
	}
	f := &descriptorpb.FieldDescriptorProto{
		Name: &name, JsonName: &name, Number: &number, Type: &kind, Label: &label,
	}
	if message != "" {
		f.TypeName = proto.String(".pbgame." + message)
	}
	return f
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("pbgen: ")
	const (
		float32s = descriptorpb.FieldDescriptorProto_TYPE_FLOAT
		float64s = descriptorpb.FieldDescriptorProto_TYPE_DOUBLE
		int64s   = descriptorpb.FieldDescriptorProto_TYPE_INT64
		text     = descriptorpb.FieldDescriptorProto_TYPE_STRING
		message  = descriptorpb.FieldDescriptorProto_TYPE_MESSAGE
	)
	type fields = []*descriptorpb.FieldDescriptorProto
	request := &pluginpb.CodeGeneratorRequest{
		FileToGenerate: []string{file},
		Parameter:      proto.String("paths=source_relative"),
		ProtoFile: []*descriptorpb.FileDescriptorProto{{
			Name:    proto.String(file),
			Package: proto.String("pbgame"),
			Syntax:  proto.String("proto3"),
			Options: &descriptorpb.FileOptions{GoPackage: proto.String(path)},
			MessageType: []*descriptorpb.DescriptorProto{
				{Name: proto.String("Vector3"), Field: fields{
					field(1, "x", float32s, false, ""), field(2, "y", float32s, false, ""), field(3, "z", float32s, false, ""),
				}},
				{Name: proto.String("Entity"), Field: fields{
					field(1, "id", int64s, false, ""), field(2, "name", text, false, ""),
					field(3, "pos", message, false, "Vector3"), field(4, "vel", message, false, "Vector3"),
					field(5, "hp", float64s, false, ""), field(6, "tags", text, true, ""),
				}},
				{Name: proto.String("State"), Field: fields{
					field(1, "tick", int64s, false, ""), field(2, "entities", message, true, "Entity"),
				}},
			},
		}},
	}
	in, err := proto.Marshal(request)
	if err != nil {
		log.Fatal(err)
	}
	plugin := exec.Command("go", "tool", "protoc-gen-go")
	plugin.Stdin, plugin.Stderr = bytes.NewReader(in), os.Stderr
	out, err := plugin.Output()
	if err != nil {
		log.Fatal(err)
	}
	var response pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(out, &response); err != nil {
		log.Fatal(err)
	}
	if response.Error != nil {
		log.Fatal(*response.Error)
	}
	if len(os.Args) != 2 {
		log.Fatal("one argument is needed, the folder of the package")
	}
	if err := os.MkdirAll(os.Args[1], 0o777); err != nil {
		log.Fatal(err)
	}
	for _, f := range response.File {
		if err := os.WriteFile(filepath.Join(os.Args[1], filepath.Base(f.GetName())), []byte(f.GetContent()), 0o666); err != nil {
			log.Fatal(err)
		}
	}
}
